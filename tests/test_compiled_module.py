"""What the PyTorch notebook says of its layer, compiled or exported, and does not run itself.

tests/test_notebooks.py runs the notebook: its cells compare a compiled and an exported graph.
"""

import shutil

import numpy as np
import pytest

from tests.test_notebooks import SOURCES

pytestmark = [
    pytest.mark.torch,
    # PyTorch 2.13's exporter calls some of its own functions that it declares as deprecated.
    pytest.mark.filterwarnings("ignore:.*isinstance.treespec, LeafSpec:FutureWarning"),
    # It gives axes the same name where their lengths must agree, and says so.
    pytest.mark.filterwarnings("ignore:.*The axis name.*will not be used:UserWarning"),
]
LONGEST, D = 50, 6


@pytest.fixture(name="torch")
def pytorch():
    found = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    yield found
    found.compiler.reset()


@pytest.fixture(name="layer")
def module(torch):
    """The layer of the notebook, without the lines that try it out."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in SOURCES["pytorch"]["cells"]}
    names = {"torch": torch, "nn": torch.nn}
    for cell, end in (("function", "\n\nlargest"), ("module", "\n\nlayer =")):
        definition, found, _ = cells[cell].partition(end)
        assert found
        exec(definition, names)
    return names["PositionalEncoding"](D, LONGEST).eval()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's compiler and SymPy
@pytest.mark.skipif(not shutil.which("c++"), reason="machine code needs a C++ compiler")
def test_machine_code_has_the_values_of_the_layer(torch, layer, tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    compiled = torch.compile(layer, fullgraph=True, dynamic=True)
    for length in (2, 7, LONGEST):
        x, positions = torch.randn(2, length, D), torch.randint(LONGEST, (2, length))
        for dynamic in (x, positions):
            torch._dynamo.mark_dynamic(dynamic, 1)
        np.testing.assert_allclose(compiled(x, positions), layer(x, positions), atol=1e-6)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's compiler and SymPy
def test_a_compiled_layer_refuses_a_longer_sentence(torch, layer):
    rule, too_long = "length must be at most 50, got 51", torch.zeros(2, LONGEST + 1, D)
    whole = torch.compile(layer, fullgraph=True, dynamic=True, backend="eager")
    with pytest.raises(torch._dynamo.exc.Unsupported, match=rule):
        whole(too_long)
    with pytest.raises(ValueError, match=rule):
        torch.compile(layer, dynamic=True, backend="eager")(too_long)


def test_a_layer_exported_as_onnx_has_a_free_length_up_to_that_of_its_table(torch, layer):
    pytest.importorskip("onnxscript", reason="not installed: pip install onnxscript==0.7.2")
    reason = "not installed: pip install onnxruntime==1.31.1"
    runtime = pytest.importorskip("onnxruntime", reason=reason)
    shapes = {"embeddings": {1: torch.export.Dim("length")}}
    example = (torch.zeros(2, 10, D),)
    program = torch.onnx.export(layer, example, dynamic_shapes=shapes, verbose=False)
    options = runtime.SessionOptions()
    options.log_severity_level = 4  # errors come as exceptions too
    session = runtime.InferenceSession(program.model_proto.SerializeToString(), options)
    (given,) = session.get_inputs()
    for length in (1, 7, LONGEST):
        x = torch.randn(2, length, D)
        (found,) = session.run(None, {given.name: x.numpy()})
        np.testing.assert_allclose(found, layer(x), atol=1e-6)
    with pytest.raises(Exception, match=r"broadcast an axis.* 50 by 51"):
        session.run(None, {given.name: np.zeros((2, LONGEST + 1, D), np.float32)})
