"""Plots of results by matplotlib."""
from ._errors import UsageError


def plot(result, names, ax=None):
    """Panels one above the other, one per unit, which share the time axis; returns their axes."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plot needs matplotlib: apt-get install python3-matplotlib; "
                          "without it, r.save('x.html') makes a report") from error
    if not names:
        raise UsageError("plot needs the names of variables: r.plot('ball.position', '*.angle')")
    panels = {}  # unit -> names
    for name in names:
        indices, _ = result._find(name)
        for index in indices:
            shown, unit = result._column(index)
            panels.setdefault(unit, []).append(shown)
    if ax is None:
        figure, grid = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False,
                                       figsize=(8, 1.2 + 2.4 * len(panels)), layout="constrained")
        axes = list(grid[:, 0])
        figure.suptitle(result.model_name)
    else:
        axes = [ax] * len(panels)
    time = result.time
    for place, (unit, shown) in zip(axes, panels.items()):
        for name in dict.fromkeys(shown):
            place.plot(time, result[name], label=name)
        place.set_ylabel(f"[{unit}]")
        place.legend(loc="best", fontsize="small")
        place.grid(True, alpha=0.3)
    axes[-1].set_xlabel("time [s]")
    return axes if ax is None else ax
