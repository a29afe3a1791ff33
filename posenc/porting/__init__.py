"""Port the weights of attention between the layouts of rotary pairs: `port_weights`."""

from posenc.porting._port import Ported, port_weights

__all__ = ["Ported", "port_weights"]
