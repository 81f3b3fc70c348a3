"""What people are told, one file per kind of letter."""


def register_all() -> None:
    """Registers every kind of letter with `notifications`."""
    from games.letters import (
        absent,
        account,
        closed,
        due,
        excused,
        game_over,
        heard,
        invited,
        orders,
        passed,
        paused,
        reminder,
        started,
        taken_over,
    )
    from notifications.composers import register

    # An invitation goes by mail alone: what it offers is a link for one person.
    register("invited", invited.Invited(), channels=("mail",))
    register("closed", closed.Closed())
    register("started", started.Started())
    register("due", due.Due())
    register("reminder", reminder.Reminder())
    register("excused", excused.Excused())
    register("passed", passed.Passed())
    register("paused", paused.Paused())
    register("resumed", paused.Resumed())
    register("absent", absent.Absent())
    register("taken_over", taken_over.TakenOver())
    register("orders", orders.OrdersDone(), channels=("mail",))  # his alone
    register("heard", heard.Heard(), channels=("mail",))  # his alone
    register("game_over", game_over.GameOver())
    register("address_asked", account.AddressAsked(), channels=("mail",))
    register("address_changed", account.AddressChanged(), channels=("mail",))
    register("ping", account.Ping(), channels=("webhook",))
