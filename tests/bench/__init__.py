"""How fast it is, beside limits and peers: `script/bench`. What the figures mean stands in docs/performance.md."""
