"""The notebook's PyTorch module, compiled by `torch.compile` and run by ONNX Runtime."""

import shutil

import numpy as np
import pytest

from tests import oracle
from tests.test_notebooks import SOURCES

pytestmark = [
    pytest.mark.torch,
    # PyTorch 2.13's exporter calls some of its own functions that it declares as deprecated.
    pytest.mark.filterwarnings("ignore:.*isinstance.treespec, LeafSpec:FutureWarning"),
    # It gives axes the same name where their lengths must agree, and says so.
    pytest.mark.filterwarnings("ignore:.*The axis name.*will not be used:UserWarning"),
]
LONGEST, D = 50, 6
LENGTHS = (1, 2, 7, LONGEST)
TABLE = oracle.positional_encoding(LONGEST, D).astype(np.float64)
EXACT = 1e-6  # of sums of float32 numbers below 8


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


def by_onnx(torch, layer, *example, **shapes):
    """A function that runs the exported layer in ONNX Runtime."""
    pytest.importorskip("onnxscript", reason="not installed: pip install onnxscript==0.7.2")
    reason = "not installed: pip install onnxruntime==1.31.1"
    runtime = pytest.importorskip("onnxruntime", reason=reason)
    program = torch.onnx.export(layer, example, dynamic_shapes=shapes, verbose=False)
    options = runtime.SessionOptions()
    options.log_severity_level = 4  # errors come as exceptions too
    session = runtime.InferenceSession(program.model_proto.SerializeToString(), options)
    names = [one.name for one in session.get_inputs()]
    return lambda *given: session.run(
        None, {name: one.numpy() for name, one in zip(names, given, strict=True)}
    )[0]


def given(torch, length):
    """Embeddings of a batch, and positions that differ in its rows."""
    torch.manual_seed(length)
    return torch.randn(2, length, D), torch.randint(LONGEST, (2, length))


def same(found, x, rows):
    """Whether `found` is `x` plus the oracle's rows, as far as float32 can say."""
    return np.abs(np.asarray(found, np.float64) - (x.double().numpy() + TABLE[rows])).max() < EXACT


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's compiler and SymPy
def test_one_graph_of_machine_code_has_the_values_of_the_oracle_and_refuses_a_longer_sentence(
    torch, layer, tmp_path, monkeypatch
):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    graphs = []

    def count(graph, example):  # noqa: ARG001
        graphs.append(graph)
        return graph.forward

    compiled = [torch.compile(layer, fullgraph=True, backend=count)]
    if shutil.which("c++"):
        compiled.append(torch.compile(layer, fullgraph=True, dynamic=True))
    for length in LENGTHS[1:]:
        x, positions = given(torch, length)
        for dynamic in (x, positions):
            torch._dynamo.mark_dynamic(dynamic, 1)
        for run in compiled:
            assert same(run(x, positions), x, positions)
    assert len(graphs) == 1
    rule, too_long = "length must be at most 50, got 51", torch.zeros(2, LONGEST + 1, D)
    whole = torch.compile(layer, fullgraph=True, dynamic=True, backend="eager")
    with pytest.raises(torch._dynamo.exc.Unsupported, match=rule):
        whole(too_long)
    with pytest.raises(ValueError, match=rule):
        torch.compile(layer, dynamic=True, backend="eager")(too_long)


def test_onnx_has_the_values_of_the_oracle_for_any_batch_and_length(torch, layer):
    """It counts negative positions from the end, which the layer refuses."""
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length")
    both = {0: batch, 1: length}
    run = by_onnx(torch, layer, *given(torch, 10), embeddings=both, positions=both)
    promised = by_onnx(torch, layer, torch.zeros(2, 10, D), embeddings={1: length})
    for count in LENGTHS:
        x, positions = given(torch, count)
        assert same(run(x, positions), x, positions)
        assert same(run(x[:1], positions[:1]), x[:1], positions[:1])
        assert same(promised(x), x, np.arange(count))
    with pytest.raises(Exception, match=r"broadcast an axis.* 50 by 51"):
        promised(torch.zeros(2, LONGEST + 1, D))
    x, counted = torch.zeros(2, 1, D), torch.full((2, 1), -LONGEST)
    with pytest.raises(IndexError, match="index out of range in self"):
        layer(x, counted)
    assert same(run(x, counted), x, counted)
    with pytest.raises(Exception, match="indices element out of data bounds"):
        run(x, counted + 2 * LONGEST)
