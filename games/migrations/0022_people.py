import django.db.models.deletion
import games.ids
import notifications.clock.present
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Friends, clubs and their tables, the course of ratings, and who may see what of a profile."""

    dependencies = [
        ('games', '0021_rewritten_words'),
        ('notifications', '0007_weekly'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='curve_shown',
            field=models.CharField(choices=[('nobody', 'only me'), ('friends', 'my friends and the members of my clubs'), ('all', 'everyone')], db_default='all', default='all', max_length=8),
        ),
        migrations.AddField(
            model_name='user',
            name='hours_shown',
            field=models.CharField(choices=[('nobody', 'only me'), ('friends', 'my friends and the members of my clubs'), ('all', 'everyone')], db_default='nobody', default='nobody', max_length=8),
        ),
        migrations.AlterField(
            model_name='moderationentry',
            name='action',
            field=models.CharField(choices=[('pause', 'paused the game'), ('resume', 'resumed the game'), ('extend', 'gave more time'), ('nudge', 'reminded everyone the game was waiting for'), ('force', 'answered the open questions by default'), ('to_bot', 'gave the seat to a bot'), ('give_back', 'gave the seat back to its player'), ('offer', 'offered the seat to someone else'), ('replace', 'gave the seat to someone else'), ('roll_back', 'rolled the game back'), ('sandbox', 'copied the game to a sandbox'), ('cancel', 'ended the game without a result'), ('release', 'released the game from quarantine'), ('look', 'viewed a hand'), ('warn', 'warned'), ('mute', 'muted'), ('unmute', 'unmuted'), ('suspend', 'closed the account'), ('lift', 'reopened the account'), ('settle', 'resolved a report'), ('mail_again', "resent a player's question"), ('try_again', 'retried a message that had been given up'), ('resend', 'resent a webhook message'), ('hook_off', 'turned a webhook off'), ('hook_on', 'turned a webhook on'), ('hide_club', "hid a club's name and description"), ('show_club', "showed a club's name and description again")], max_length=12, verbose_name='what'),
        ),
        migrations.AlterField(
            model_name='report',
            name='game',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='games.game'),
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('about', models.CharField(blank=True, default='', max_length=600, verbose_name='about the club')),
                ('link_generation', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('hidden_at', models.DateTimeField(blank=True, null=True)),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='clubs_owned', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='game',
            name='club',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='games', to='games.club'),
        ),
        migrations.AddField(
            model_name='report',
            name='club',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='games.club'),
        ),
        migrations.CreateModel(
            name='ClubInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ('address', models.EmailField(max_length=254)),
                ('name', models.CharField(blank=True, default='', max_length=40)),
                ('status', models.CharField(choices=[('sent', 'invited'), ('joined', 'joined'), ('declined', 'declined'), ('withdrawn', 'withdrawn')], default='sent', max_length=10)),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.club')),
                ('inviter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='club_invitations_sent', to=settings.AUTH_USER_MODEL)),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='club_invitations', to='notifications.recipient')),
            ],
            options={
                'indexes': [models.Index(fields=['inviter', 'created_at'], name='club_invitations_of_a_day')],
                'constraints': [models.UniqueConstraint(fields=('club', 'address'), name='one_club_invitation_per_address')],
            },
        ),
        migrations.CreateModel(
            name='Friendship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ('status', models.CharField(choices=[('asked', 'asked'), ('friends', 'friends'), ('declined', 'declined'), ('withdrawn', 'withdrawn')], default='asked', max_length=10)),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('asked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='friendships_received', to=settings.AUTH_USER_MODEL)),
                ('asker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='friendships_asked', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['asker', 'created_at'], name='friends_asked_of_a_day')],
                'constraints': [models.UniqueConstraint(fields=('asker', 'asked'), name='one_friendship_per_pair'), models.CheckConstraint(condition=models.Q(('asker', models.F('asked')), _negated=True), name='nobody_befriends_himself')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('joined_at', models.DateTimeField(default=notifications.clock.present.now)),
                ('club', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='games.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='one_membership_per_person')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules_name', models.CharField(max_length=40)),
                ('points', models.IntegerField()),
                ('rated_at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_changes', to='games.game')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rating_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', 'rules_name', 'rated_at'], name='rating_curve')],
                'constraints': [models.UniqueConstraint(fields=('user', 'game'), name='one_rating_change_per_game')],
            },
        ),
    ]
