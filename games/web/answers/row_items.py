"""Lines for orders, and their blanks, as a page shows them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class BlankItem:
    """A blank: a select whose first option leaves it empty. An option is (value, label, is chosen)."""

    name: str
    label: str
    options: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class RowItem:
    """A line: what stands before its blanks, the blanks, and what it would do now.

    Arguments:
        place: where it answers, if that is no blank.
        otherwise: the blank that says what is done where the answer is not possible.
        is_further: the line before it says the same sort of thing; this one is for more of it.
    """

    place: str
    label: str
    blanks: list[BlankItem]
    otherwise: BlankItem | None
    is_filled: bool
    forecast: str
    does: str
    is_further: bool


@dataclass
class RowGroup:
    """Lines under one name."""

    label: str
    is_main: bool = False
    rows: list[RowItem] = field(default_factory=list)

    @property
    def is_list(self) -> bool:
        """True if a line says so much that it needs room of its own."""
        return any(len(row.blanks) > 1 for row in self.rows)

    @property
    def is_filled(self) -> bool:
        """True if one of its lines is."""
        return any(row.is_filled for row in self.rows)


@dataclass(frozen=True)
class RowsItem:
    """The orders that may go with a way to answer.

    Arguments:
        words: the orders that no line can say, each in words.
        forecasts: what those would do now.
        can_repeat: there is a former sheet to be given again.
        is_beside: the answer is another one, and the orders only may go with it.
        is_on_board: answer and lines are one thing, for which the board is the form.
        is_open: they are shown at once.
        proposed: the fields of the form as the proposal fills them in, as JSON; "" without one.
        is_left_out: nothing is in them and nobody asked for them yet; the page has a link to itself with them.
    """

    groups: list[RowGroup]
    words: str
    forecasts: list[tuple[str, str]]
    can_repeat: bool
    is_beside: bool = False
    is_on_board: bool = False
    is_open: bool = False
    proposed: str = ""
    is_left_out: bool = False

    @property
    def is_filled(self) -> bool:
        """True if there is something in them."""
        return bool(self.words) or any(group.is_filled for group in self.groups)

    @property
    def tokens(self) -> list[str]:
        """Returns what can be laid on the board, by the first line that lays something."""
        blanks = (blank for group in self.groups for row in group.rows for blank in row.blanks)
        laid = next((blank for blank in blanks if blank.name.endswith("-token")), None)
        return [value for value, _label, _is_chosen in laid.options] if laid else []

    @property
    def main(self) -> list[RowGroup]:
        """Returns the rows that are shown at once."""
        return [group for group in self.groups if group.is_main]

    @property
    def more(self) -> list[RowGroup]:
        """Returns the rows that are folded away."""
        return [group for group in self.groups if not group.is_main]

    @property
    def is_more_filled(self) -> bool:
        """True if there is something in what is folded away."""
        return bool(self.words) or any(group.is_filled for group in self.more)
