"""All tables, in one step; installations that took the steps of `replaces` have them."""

import datetime
import django.db.models.deletion
import notifications.clock.present
import notifications.ids
import notifications.database.sealed
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('notifications', '0001_initial'), ('notifications', '0002_quiet_hours'), ('notifications', '0003_what_people_want_by_mail'), ('notifications', '0004_answers_by_mail'), ('notifications', '0005_sealed_webhooks'), ('notifications', '0006_given_up_deliveries'), ('notifications', '0007_webhooks_of_tables'), ('notifications', '0008_channels_and_rest_of_a_thread'), ('notifications', '0009_answers_know_what_they_answer'), ('notifications', '0010_webhooks_at_once')]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='ChannelHealth',
            fields=[
                ('channel', models.CharField(choices=[('mail', 'mail'), ('webhook', 'webhook')], max_length=12, primary_key=True, serialize=False, verbose_name='channel')),
                ('failures', models.PositiveIntegerField(default=0, verbose_name='failures in a row')),
                ('paused_until', models.DateTimeField(blank=True, null=True, verbose_name='rests until')),
                ('minute', models.DateTimeField(blank=True, null=True, verbose_name='minute')),
                ('sent', models.PositiveIntegerField(default=0, verbose_name='sent in it')),
            ],
            options={
                'verbose_name': 'state of a channel',
                'verbose_name_plural': 'states of channels',
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
                ('muted', models.JSONField(blank=True, default=list, verbose_name='events that are not wanted')),
                ('secret', notifications.database.sealed.SealedField(default=notifications.ids.new_secret, verbose_name='secret')),
                ('old_secret', notifications.database.sealed.SealedField(blank=True, default='', verbose_name='former secret')),
                ('old_secret_until', models.DateTimeField(blank=True, null=True, verbose_name='former secret until')),
                ('is_enabled', models.BooleanField(default=True, verbose_name='enabled')),
                ('disabled_reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('disabled_at', models.DateTimeField(blank=True, null=True, verbose_name='switched off')),
                ('failing_since', models.DateTimeField(blank=True, null=True, verbose_name='failing since')),
                ('refusals', models.PositiveIntegerField(default=0, verbose_name='refused in a row')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
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
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
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
                ('kind', models.CharField(choices=[('bounced', 'it came back'), ('complained', 'it was marked as unwanted')], max_length=12, verbose_name='kind')),
                ('event', models.CharField(max_length=200, unique=True, verbose_name='event')),
                ('detail', models.CharField(blank=True, max_length=200, verbose_name='detail')),
                ('is_final', models.BooleanField(default=False, verbose_name='for good')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'returned mail',
                'verbose_name_plural': 'returned mails',
                'indexes': [models.Index(fields=['address_hash', 'created_at'], name='bounce_of_address')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(choices=[('mail', 'mail'), ('webhook', 'webhook')], max_length=12, verbose_name='channel')),
                ('target', models.CharField(blank=True, max_length=64, null=True, verbose_name='keyed hash of the address')),
                ('message_id', models.CharField(max_length=200, unique=True, verbose_name='message id')),
                ('body', models.TextField(blank=True, verbose_name='what was sent')),
                ('is_by_hand', models.BooleanField(default=False, verbose_name='sent again by hand')),
                ('provider_id', models.CharField(blank=True, max_length=200, verbose_name='id at the mail provider')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sending', 'being sent'), ('accepted', 'accepted'), ('failed', 'refused'), ('stale', 'no longer needed'), ('suppressed', 'not wanted'), ('quarantined', 'given up'), ('declined', 'switched off'), ('joined', 'part of another mail'), ('returned', 'came back')], default='waiting', max_length=12, verbose_name='state')),
                ('attempt_after', models.DateTimeField(blank=True, null=True, verbose_name='next try after')),
                ('lease_until', models.DateTimeField(blank=True, null=True, verbose_name='lease until')),
                ('lease_owner', models.CharField(blank=True, max_length=32, verbose_name='lease owner')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('accepted_at', models.DateTimeField(blank=True, null=True, verbose_name='accepted')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='reason')),
                ('leader', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followers', to='notifications.delivery')),
                ('endpoint', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='deliveries', to='notifications.endpoint')),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='notifications.notice')),
            ],
            options={
                'verbose_name': 'delivery',
                'verbose_name_plural': 'deliveries',
            },
        ),
        migrations.CreateModel(
            name='Attempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(verbose_name='started')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('outcome', models.CharField(blank=True, choices=[('accepted', 'accepted'), ('retry', 'to be repeated'), ('refused', 'refused'), ('dropped', 'not sent'), ('error', 'error of ours')], max_length=12, verbose_name='outcome')),
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
        migrations.CreateModel(
            name='Recipient',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(blank=True, max_length=254, verbose_name='mail address')),
                ('name', models.CharField(blank=True, max_length=120, verbose_name='name')),
                ('language', models.CharField(default='en', max_length=12, verbose_name='language')),
                ('zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                ('quiet_from', models.TimeField(blank=True, null=True, verbose_name='quiet from')),
                ('quiet_until', models.TimeField(blank=True, null=True, verbose_name='quiet until')),
                ('rhythm', models.CharField(choices=[('at_once', 'at once'), ('news_daily', 'at once if it waits for me, the rest in one mail a day'), ('daily', 'everything in one mail a day')], default='at_once', max_length=12, verbose_name='when to write')),
                ('daily_at', models.TimeField(default=datetime.time(8, 0), verbose_name='time of the daily mail')),
                ('quiet_holds_all', models.BooleanField(default=False, verbose_name='hold every mail in quiet hours')),
                ('snoozed_until', models.DateTimeField(blank=True, null=True, verbose_name='no mail before')),
                ('ways', models.CharField(choices=[('both', 'by mail and by my webhooks'), ('mail', 'by mail alone'), ('webhook', 'by my webhooks alone; by mail while they fail')], default='both', max_length=8, verbose_name='by which channels')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='topics that are not wanted by mail')),
                ('feed_generation', models.PositiveIntegerField(default=0, verbose_name='generation of the feed')),
                ('created_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='created')),
            ],
            options={
                'verbose_name': 'recipient',
                'verbose_name_plural': 'recipients',
                'indexes': [models.Index(fields=['address'], name='recipient_by_address')],
            },
        ),
        migrations.AddField(
            model_name='notice',
            name='recipient',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='notifications.recipient'),
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
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('held', 'held until its sender confirms it'), ('done', 'done'), ('answered', 'answered, nothing changed'), ('ignored', 'left alone'), ('failed', 'error of ours')], default='waiting', max_length=10, verbose_name='state')),
                ('key', models.CharField(max_length=64, unique=True, verbose_name='key')),
                ('message_id', models.CharField(blank=True, max_length=250, verbose_name='message id')),
                ('tries', models.PositiveSmallIntegerField(default=0, verbose_name='tries')),
                ('answer', models.TextField(blank=True, verbose_name='answer')),
                ('received_at', models.DateTimeField(verbose_name='received')),
                ('handled_at', models.DateTimeField(blank=True, null=True, verbose_name='handled')),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'answer by mail',
                'verbose_name_plural': 'answers by mail',
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['id'], name='inbound_waiting'), models.Index(fields=['recipient', 'handled_at'], name='inbound_of')],
            },
        ),
        migrations.AddField(
            model_name='endpoint',
            name='recipient',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='endpoints', to='notifications.recipient'),
        ),
        migrations.AddField(
            model_name='delivery',
            name='recipient',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='notifications.recipient'),
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('thread', models.CharField(max_length=120, verbose_name='thread')),
                ('rhythm', models.CharField(blank=True, choices=[('at_once', 'at once'), ('news_daily', 'at once if it waits for me, the rest in one mail a day'), ('daily', 'everything in one mail a day')], max_length=12, verbose_name='when to write')),
                ('ways', models.CharField(blank=True, choices=[('both', 'by mail and by my webhooks'), ('mail', 'by mail alone'), ('webhook', 'by my webhooks alone; by mail while they fail')], max_length=8, verbose_name='by which channels')),
                ('snoozed_until', models.DateTimeField(blank=True, null=True, verbose_name='no mail before')),
                ('muted', models.JSONField(blank=True, default=list, verbose_name='topics that are not wanted by mail')),
                ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='last looked at')),
                ('recipient', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='conversations', to='notifications.recipient')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'constraints': [models.UniqueConstraint(fields=('recipient', 'thread'), name='conversation_once')],
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
                ('sent_at', models.DateTimeField(default=notifications.clock.present.now, verbose_name='sent')),
            ],
            options={
                'verbose_name': 'stored mail',
                'verbose_name_plural': 'stored mails',
                'indexes': [models.Index(fields=['-sent_at', '-id'], name='stored_mail_newest')],
            },
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['recipient', '-created_at'], name='notice_ledger'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['subject'], name='notice_about'),
        ),
        migrations.AddIndex(
            model_name='endpoint',
            index=models.Index(condition=models.Q(('thread', ''), _negated=True), fields=['thread'], name='endpoint_of_thread'),
        ),
        migrations.AddIndex(
            model_name='endpoint',
            index=models.Index(fields=['target'], name='endpoint_at_target'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['attempt_after', 'id'], name='delivery_due'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['target', 'tries'], name='delivery_open'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='delivery_leased'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('attempt_after__isnull', False)), fields=['recipient', 'channel'], name='delivery_of_recipient'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['endpoint', '-id'], name='delivery_to_endpoint'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('state', 'quarantined')), fields=['id'], name='delivery_quarantined'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(fields=['provider_id'], name='delivery_at_provider'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('channel', 'mail')), fields=('notice',), name='delivery_one_mail'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('notice', 'endpoint'), name='delivery_once_per_endpoint'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(condition=models.Q(('attempt_after__isnull', False), ('tries__gt', 0)), fields=('target',), name='delivery_one_begun'),
        ),
    ]
