"""The live probe: what happens when the target's own interpreter imports torch and torch_npu and computes with them."""
