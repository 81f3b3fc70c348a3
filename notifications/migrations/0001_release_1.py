# Each model is created whole: indexes and fields that are added one by one take Django seconds longer.

import datetime
import django.db.models.deletion
import notifications.clock.present
import notifications.database.sealed
import notifications.ids
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ChannelHealth',
            fields=[
                ('channel', models.CharField(max_length=12, primary_key=True, serialize=False, verbose_name='channel')),
                ('failures', models.PositiveIntegerField(default=0, verbose_name='failures in a row')),
                ('paused_until', models.DateTimeField(blank=True, null=True, verbose_name='rests until')),
                ('minute', models.DateTimeField(blank=True, null=True, verbose_name='minute')),
                ('sent', models.PositiveIntegerField(default=0, verbose_name='sent in it')),
                ('is_at_limit', models.BooleanField(db_default=False, default=False, verbose_name='at its limit')),
            ],
            options={
                'verbose_name': 'state of a channel',
                'verbose_name_plural': 'states of channels',
            },
        ),
        migrations.CreateModel(
            name='PushService',
            fields=[
                ('host', models.CharField(max_length=253, primary_key=True, serialize=False, verbose_name='host')),
                ('failures', models.PositiveIntegerField(default=0, verbose_name='failures in a row')),
                ('failed_at', models.DateTimeField(verbose_name='last failure')),
                ('rests_until', models.DateTimeField(blank=True, null=True, verbose_name='rests until')),
            ],
            options={
                'verbose_name': 'push service in trouble',
                'verbose_name_plural': 'push services in trouble',
            },
        ),
        migrations.CreateModel(
            name='Suppression',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_hash', models.CharField(max_length=64, unique=True, verbose_name='keyed hash')),
                ('reason', models.CharField(max_length=200, verbose_name='reason')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'suppressed address',
                'verbose_name_plural': 'suppressed addresses',
            },
        ),
        migrations.CreateModel(
            name='Bounce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_hash', models.CharField(max_length=64, verbose_name='keyed hash')),
                ('kind', models.CharField(choices=[('bounced', 'it bounced'), ('mistrusted', 'its server rejects our emails'), ('ours', "it bounced, like everyone's"), ('complained', 'it was marked as spam')], max_length=12, verbose_name='kind')),
                ('event', models.CharField(max_length=200, unique=True, verbose_name='event')),
                ('detail', models.CharField(blank=True, max_length=200, verbose_name='detail')),
                ('is_final', models.BooleanField(default=False, verbose_name='permanent')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'bounced email',
                'verbose_name_plural': 'bounced emails',
                'indexes': [models.Index(fields=['address_hash', 'created_at'], name='bounce_of_address')],
            },
        ),
        migrations.CreateModel(
            name='Recipient',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('language', models.CharField(default='en', max_length=12, verbose_name='language')),
                ('zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('quiet_from', models.TimeField(blank=True, null=True, verbose_name='quiet from')),
                ('quiet_until', models.TimeField(blank=True, null=True, verbose_name='quiet until')),
                ('rhythm', models.CharField(choices=[('at_once', 'right away'), ('news_daily', "right away if it's my turn, everything else in one daily email"), ('daily', 'everything in one daily email')], default='at_once', max_length=12, verbose_name='when to write')),
                ('daily_at', models.TimeField(default=datetime.time(8, 0), verbose_name='time of the daily email')),
                ('quiet_holds_all', models.BooleanField(default=False, verbose_name='hold every email during quiet hours')),
                ('snoozed_until', models.DateTimeField(blank=True, null=True, verbose_name='no email before')),
                ('ways', models.CharField(choices=[('both', 'in every way I have set up'), ('mail', 'by email only'), ('webhook', 'by my webhooks only; by email if they fail'), ('push', 'by notifications on my devices only; by email if they fail')], default='both', max_length=8, verbose_name='by which channels')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='topics not wanted by email')),
                ('weekly_at', models.DateTimeField(blank=True, null=True, verbose_name='next weekly summary')),
                ('feed_generation', models.PositiveIntegerField(default=0, verbose_name='generation of the feed')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'recipient',
                'verbose_name_plural': 'recipients',
                'indexes': [models.Index(fields=['address'], name='recipient_by_address'), models.Index(condition=models.Q(('weekly_at__isnull', False)), fields=['weekly_at'], name='recipient_weekly')],
            },
        ),
        migrations.CreateModel(
            name='StoredMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.CharField(max_length=320, verbose_name='to')),
                ('subject', models.CharField(max_length=500, verbose_name='subject')),
                ('text', models.TextField(blank=True, verbose_name='text')),
                ('html', models.TextField(blank=True, verbose_name='HTML')),
                ('headers', models.JSONField(default=dict, verbose_name='headers')),
                ('sent_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='was sent')),
            ],
            options={
                'verbose_name': 'stored email',
                'verbose_name_plural': 'stored emails',
                'indexes': [models.Index(fields=['-sent_at', '-id'], name='stored_mail_newest')],
            },
        ),
        migrations.CreateModel(
            name='Endpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=notifications.ids.new_ref, editable=False, max_length=32, unique=True, verbose_name='reference')),
                ('thread', models.CharField(blank=True, max_length=120, verbose_name='thread')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('url', notifications.database.sealed.SealedField(verbose_name='address')),
                ('target', models.CharField(editable=False, max_length=64, verbose_name='keyed hash of the address')),
                ('shape', models.CharField(choices=[('standard', 'data for programs (Standard Webhooks)'), ('discord', 'a message for a Discord channel'), ('slack', 'a message for a Slack channel')], default='standard', max_length=10, verbose_name='shape')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='unwanted events')),
                ('secret', notifications.database.sealed.SealedField(default=notifications.ids.new_secret, verbose_name='secret')),
                ('old_secret', notifications.database.sealed.SealedField(blank=True, default='', verbose_name='previous secret')),
                ('old_secret_until', models.DateTimeField(blank=True, null=True, verbose_name='previous secret valid until')),
                ('is_enabled', models.BooleanField(default=True, verbose_name='enabled')),
                ('disabled_reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('disabled_at', models.DateTimeField(blank=True, null=True, verbose_name='switched off')),
                ('failing_since', models.DateTimeField(blank=True, null=True, verbose_name='failing since')),
                ('refusals', models.PositiveIntegerField(default=0, verbose_name='consecutive refusals')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='endpoints', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'indexes': [models.Index(condition=models.Q(('thread', ''), _negated=True), fields=['thread'], name='endpoint_of_thread'), models.Index(fields=['target'], name='endpoint_at_target')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=notifications.ids.new_ref, editable=False, max_length=32, unique=True, verbose_name='reference')),
                ('kind', models.CharField(max_length=60, verbose_name='kind')),
                ('subject', models.CharField(max_length=120, verbose_name='about')),
                ('thread', models.CharField(blank=True, max_length=120, verbose_name='thread')),
                ('data', models.JSONField(blank=True, default=dict, verbose_name='data')),
                ('dedupe_key', models.CharField(max_length=200, unique=True, verbose_name='key')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
                ('not_before', models.DateTimeField(blank=True, null=True, verbose_name='not before')),
                ('recipient', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
                'indexes': [models.Index(fields=['recipient', '-created_at'], name='notice_ledger'), models.Index(fields=['subject'], name='notice_about')],
            },
        ),
        migrations.CreateModel(
            name='PushSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=notifications.ids.new_ref, editable=False, max_length=32, unique=True, verbose_name='reference')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('url', notifications.database.sealed.SealedField(verbose_name='address')),
                ('target', models.CharField(editable=False, max_length=64, unique=True, verbose_name='keyed hash of the address')),
                ('host', models.CharField(max_length=253, verbose_name='push service')),
                ('public_key', notifications.database.sealed.SealedField(verbose_name='public key of the browser')),
                ('auth_secret', notifications.database.sealed.SealedField(verbose_name='authentication secret')),
                ('group', models.CharField(blank=True, max_length=64, verbose_name='belongs to')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='topics not wanted here')),
                ('refusals', models.PositiveSmallIntegerField(default=0, verbose_name='consecutive refusals')),
                ('used_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='last used')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscriptions', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'push subscription',
                'verbose_name_plural': 'push subscriptions',
            },
        ),
        migrations.CreateModel(
            name='Inbound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ref', models.CharField(default=notifications.ids.new_ref, editable=False, max_length=32, unique=True, verbose_name='reference')),
                ('subject', models.CharField(max_length=120, verbose_name='about')),
                ('line', models.CharField(blank=True, max_length=200, verbose_name='line')),
                ('is_authentic', models.BooleanField(default=False, verbose_name='proved')),
                ('is_confirmed', models.BooleanField(default=False, verbose_name='confirmed')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('held', "waiting for its sender's confirmation"), ('done', 'done'), ('answered', 'answered, nothing changed'), ('ignored', 'ignored'), ('failed', 'our error')], default='waiting', max_length=10, verbose_name='state')),
                ('key', models.CharField(max_length=64, unique=True, verbose_name='key')),
                ('message_id', models.CharField(blank=True, max_length=250, verbose_name='message id')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('answer', models.TextField(blank=True, verbose_name='answer')),
                ('received_at', models.DateTimeField(verbose_name='received')),
                ('handled_at', models.DateTimeField(blank=True, null=True, verbose_name='handled')),
                ('recipient', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'answer by email',
                'verbose_name_plural': 'answers by email',
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='inbound_waiting'), models.Index(fields=['recipient', 'handled_at'], name='inbound_of')],
            },
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('thread', models.CharField(max_length=120, verbose_name='thread')),
                ('rhythm', models.CharField(blank=True, choices=[('at_once', 'right away'), ('news_daily', "right away if it's my turn, everything else in one daily email"), ('daily', 'everything in one daily email')], max_length=12, verbose_name='when to write')),
                ('ways', models.CharField(blank=True, choices=[('both', 'in every way I have set up'), ('mail', 'by email only'), ('webhook', 'by my webhooks only; by email if they fail'), ('push', 'by notifications on my devices only; by email if they fail')], max_length=8, verbose_name='by which channels')),
                ('snoozed_until', models.DateTimeField(blank=True, null=True, verbose_name='no email before')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='topics not wanted by email')),
                ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='last looked at')),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'indexes': [models.Index(condition=models.Q(models.Q(('rhythm', ''), _negated=True), models.Q(('ways', ''), _negated=True), ('snoozed_until__isnull', False), models.Q(('muted', []), _negated=True), _connector='OR'), fields=['id'], name='conversation_chosen')],
                'constraints': [models.UniqueConstraint(fields=('recipient', 'thread'), name='conversation_once')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(max_length=12, verbose_name='channel')),
                ('target', models.CharField(blank=True, max_length=64, null=True, verbose_name='keyed hash of the address')),
                ('message_id', models.CharField(max_length=200, unique=True, verbose_name='message id')),
                ('body', models.TextField(blank=True, verbose_name='what was sent')),
                ('is_by_hand', models.BooleanField(default=False, verbose_name='resent manually')),
                ('provider_id', models.CharField(blank=True, max_length=200, verbose_name='id at the mail provider')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('accepted', 'accepted'), ('failed', 'refused'), ('stale', 'no longer needed'), ('suppressed', 'not wanted'), ('quarantined', 'given up'), ('declined', 'switched off'), ('joined', 'part of another email'), ('returned', 'bounced')], default='waiting', max_length=12, verbose_name='state')),
                ('attempt_after', models.DateTimeField(blank=True, null=True, verbose_name='next attempt after')),
                ('lease_until', models.DateTimeField(blank=True, null=True, verbose_name='lease until')),
                ('lease_owner', models.CharField(blank=True, max_length=32, verbose_name='lease owner')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('accepted_at', models.DateTimeField(blank=True, null=True, verbose_name='accepted')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('leader', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followers', to='notifications.delivery')),
                ('endpoint', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='deliveries', to='notifications.endpoint')),
                ('notice', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notifications.notice')),
                ('recipient', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'delivery',
                'verbose_name_plural': 'deliveries',
                'indexes': [models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['attempt_after', 'id'], name='delivery_due'), models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['target', 'tries'], name='delivery_open'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='delivery_leased'), models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['recipient', 'channel'], name='delivery_of_recipient'), models.Index(condition=models.Q(('endpoint__isnull', False)), fields=['endpoint', '-id'], name='delivery_to_endpoint'), models.Index(condition=models.Q(('leader__isnull', False)), fields=['leader'], name='delivery_of_leader'), models.Index(condition=models.Q(('state', 'quarantined')), fields=['id'], name='delivery_quarantined'), models.Index(condition=models.Q(('provider_id', ''), _negated=True), fields=['provider_id'], name='delivery_at_provider')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('channel', 'mail')), fields=('notice',), name='delivery_one_mail'), models.UniqueConstraint(fields=('notice', 'endpoint'), name='delivery_once_per_endpoint'), models.UniqueConstraint(condition=models.Q(('attempt_after__isnull', False), ('tries__gt', 0)), fields=('target',), name='delivery_one_begun')],
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(verbose_name='started')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('outcome', models.CharField(blank=True, choices=[('accepted', 'accepted'), ('retry', 'to be repeated'), ('refused', 'refused'), ('dropped', 'not sent'), ('error', 'our error')], max_length=12, verbose_name='outcome')),
                ('code', models.CharField(blank=True, max_length=20, verbose_name='code')),
                ('detail', models.CharField(blank=True, max_length=1000, verbose_name='detail')),
                ('excerpt', models.CharField(blank=True, max_length=300, verbose_name='beginning of the answer')),
                ('delivery', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attempts', to='notifications.delivery')),
            ],
            options={
                'verbose_name': 'attempt',
                'verbose_name_plural': 'attempts',
            },
        ),
    ]
