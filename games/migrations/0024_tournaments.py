import django.db.models.deletion
import games.ids
import notifications.clock.present
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Tournaments: who has entered, rounds, tables and places."""

    dependencies = [
        ('games', '0023_hosting'),
    ]

    operations = [
        migrations.AlterField(
            model_name='moderationentry',
            name='action',
            field=models.CharField(choices=[('pause', 'paused the game'), ('resume', 'resumed the game'), ('extend', 'gave more time'), ('nudge', 'reminded everyone the game was waiting for'), ('force', 'answered the open questions by default'), ('to_bot', 'gave the seat to a bot'), ('give_back', 'gave the seat back to its player'), ('offer', 'offered the seat to someone else'), ('replace', 'gave the seat to someone else'), ('hand_over', 'handed over the host role'), ('roll_back', 'rolled the game back'), ('sandbox', 'copied the game to a sandbox'), ('cancel', 'ended the game without a result'), ('release', 'released the game from quarantine'), ('look', 'viewed a hand'), ('warn', 'warned'), ('mute', 'muted'), ('unmute', 'unmuted'), ('suspend', 'closed the account'), ('lift', 'reopened the account'), ('settle', 'resolved a report'), ('mail_again', "resent a player's question"), ('try_again', 'retried a message that had been given up'), ('resend', 'resent a webhook message'), ('hook_off', 'turned a webhook off'), ('hook_on', 'turned a webhook on'), ('hide_club', "hid a club's name and description"), ('show_club', "showed a club's name and description again"), ('call_off', 'called a tournament off'), ('take_out', 'removed from a tournament')], max_length=12, verbose_name='what'),
        ),
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ('title', models.CharField(max_length=60, verbose_name='name')),
                ('about', models.CharField(blank=True, default='', max_length=500)),
                ('status', models.CharField(choices=[('open', 'open for entries'), ('running', 'running'), ('finished', 'finished'), ('called_off', 'called off')], default='open', max_length=10)),
                ('called_off_by', models.CharField(blank=True, choices=[('host', 'The host has called it off.'), ('moderator', 'A moderator has called it off.'), ('too_few', 'Too few people had entered when entries closed.'), ('gone', 'Its host has deleted the account.')], default='', max_length=10)),
                ('reason', models.CharField(blank=True, default='', max_length=300)),
                ('rules_name', models.CharField(max_length=40)),
                ('options', models.JSONField(default=dict)),
                ('table_size', models.PositiveSmallIntegerField()),
                ('round_count', models.PositiveSmallIntegerField()),
                ('round_days', models.PositiveSmallIntegerField()),
                ('fewest', models.PositiveSmallIntegerField()),
                ('most', models.PositiveSmallIntegerField()),
                ('allows_bots', models.BooleanField(default=False)),
                ('pace', models.CharField(max_length=20)),
                ('stops_at_night', models.BooleanField(default=True)),
                ('stops_on_weekends', models.BooleanField(default=False)),
                ('allows_vacation', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('closes_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('retry_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('host', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hosted_tournaments', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Entrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ('name', models.CharField(blank=True, max_length=40)),
                ('is_bot', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('entered', 'entered'), ('left', 'left'), ('removed', 'removed')], default='entered', max_length=10)),
                ('reason', models.CharField(blank=True, default='', max_length=300)),
                ('lot', models.PositiveSmallIntegerField(default=0)),
                ('entered_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tournament_entries', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entrants', to='games.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='TournamentRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('started_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('tournament', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='games.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='TournamentTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('state', models.CharField(choices=[('drawn', 'about to start'), ('playing', 'running'), ('done', 'finished'), ('undecided', 'without a result'), ('bye', 'sits out')], default='drawn', max_length=10)),
                ('game', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='tournament_table', to='games.game')),
                ('round', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='games.tournamentround')),
            ],
        ),
        migrations.CreateModel(
            name='TournamentSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('entrant', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.entrant')),
                ('table', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.tournamenttable')),
            ],
        ),
        migrations.AddIndex(
            model_name='tournament',
            index=models.Index(condition=models.Q(('status__in', ('open', 'running'))), fields=['closes_at'], name='tournament_alive'),
        ),
        migrations.AddIndex(
            model_name='tournament',
            index=models.Index(condition=models.Q(('finished_at__isnull', False)), fields=['-finished_at'], name='tournament_over'),
        ),
        migrations.AddConstraint(
            model_name='entrant',
            constraint=models.UniqueConstraint(fields=('tournament', 'user'), name='one_entry_per_person'),
        ),
        migrations.AddConstraint(
            model_name='tournamentround',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='one_round_per_number'),
        ),
        migrations.AddIndex(
            model_name='tournamenttable',
            index=models.Index(condition=models.Q(('state__in', ('drawn', 'playing'))), fields=['state'], name='tournament_table_alive'),
        ),
        migrations.AddConstraint(
            model_name='tournamenttable',
            constraint=models.UniqueConstraint(fields=('round', 'number'), name='one_table_per_number'),
        ),
        migrations.AddConstraint(
            model_name='tournamentseat',
            constraint=models.UniqueConstraint(fields=('table', 'entrant'), name='one_tournament_seat_each'),
        ),
    ]
