"""Environment variables of an Ascend stack: what they mean, profiles of them, and what is wrong in one."""
