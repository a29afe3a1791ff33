"""Test vectors: inputs, exact outputs, and outputs of slips, for code in any language."""
