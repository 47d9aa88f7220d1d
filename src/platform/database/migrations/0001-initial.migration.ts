import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, primary, reference, table } from './table-columns';

/** Permission settings of a channel; each contains the ID of a group (named or anonymous). */
const CHANNEL_GROUP_SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
].join(' ');

const USER_GROUP_SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
].join(' ');

/** Tables, ordered so that references point to earlier ones. */
function tables(): Table[] {
  return [
    ...organizationTables(),
    ...accountTables(),
    ...groupTables(),
    ...channelTables(),
    ...messageTables(),
    ...fileTables(),
  ];
}

function organizationTables(): Table[] {
  return [table('organization_setting', [columns('text', 'name', primary), columns('text', 'value')])];
}

function accountTables(): Table[] {
  return [
    table(
      'account',
      [
        idColumn(),
        columns('text', 'delivery_email email_key full_name'),
        columns('integer', 'role'),
        columns('boolean', 'is_active is_bot is_system_bot'),
        columns('integer', 'bot_type bot_owner_id', nullable),
        columns('text', 'password_hash', nullable),
        columns('text', 'key_nonce'),
        columns('bigint', 'date_joined'),
        columns('boolean', 'awaits_first_login'),
        columns('text', 'timezone avatar_source'),
        columns('text', 'avatar_key', nullable),
        columns('integer', 'avatar_version email_visibility'),
        columns('boolean', 'is_imported_stub is_deleted can_create_users'),
        columns('text', 'settings'),
        columns('integer', 'default_sending_channel_id default_events_channel_id', nullable),
        columns('boolean', 'default_all_public_channels'),
      ],
      {
        references: [reference('bot_owner_id', 'account')],
        indices: [index('account', 'email_key', { unique: true }), index('account', 'bot_owner_id')],
      },
    ),
    table(
      'bot_service',
      [
        columns('integer', 'bot_id', primary),
        columns('text', 'name'),
        columns('text', 'payload_url token', nullable),
        columns('integer', 'interface'),
        columns('text', 'config'),
      ],
      { references: [reference('bot_id', 'account')] },
    ),
    table(
      'bot_storage',
      [columns('integer', 'bot_id', primary), columns('text', 'key', primary), columns('text', 'value')],
      { references: [reference('bot_id', 'account')] },
    ),
    table('custom_profile_field', [
      idColumn(),
      columns('text', 'name hint'),
      columns('integer', 'type position'),
      columns('text', 'field_data'),
      columns('boolean', 'is_required is_editable_by_user is_in_profile_summary is_used_for_matching'),
    ]),
    table(
      'custom_profile_value',
      [
        columns('integer', 'user_id field_id', primary),
        columns('text', 'value'),
        columns('text', 'rendered_value', nullable),
      ],
      { references: [reference('user_id', 'account'), reference('field_id', 'custom_profile_field')] },
    ),
    table(
      'push_registration',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('text', 'kind token'),
        columns('text', 'app_id', nullable),
        columns('bigint', 'created_at'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('push_registration', 'user_id kind token', { unique: true })],
      },
    ),
    table(
      'client_device',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('bigint', 'push_key_id', nullable),
        columns('text', 'push_key push_token_kind push_token_id', nullable),
        columns('text', 'relay_public_key sealed_registration', nullable),
        columns('bigint', 'push_token_updated_at', nullable),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('client_device', 'user_id')],
      },
    ),
  ];
}

function groupTables(): Table[] {
  return [
    table(
      'user_group',
      [
        idColumn(),
        columns('text', 'name', nullable),
        columns('text', 'description'),
        columns('boolean', 'is_system is_deactivated'),
        columns('integer', 'creator_id', nullable),
        columns('bigint', 'date_created', nullable),
        columns('integer', USER_GROUP_SETTINGS, nullable),
      ],
      {
        references: [reference('creator_id', 'account')],
        indices: [index('user_group', 'name', { unique: true })],
      },
    ),
    table('user_group_member', [columns('integer', 'group_id user_id', primary)], {
      references: [reference('group_id', 'user_group'), reference('user_id', 'account')],
      indices: [index('user_group_member', 'user_id')],
    }),
    table('user_group_subgroup', [columns('integer', 'group_id subgroup_id', primary)], {
      references: [reference('group_id', 'user_group'), reference('subgroup_id', 'user_group')],
      indices: [index('user_group_subgroup', 'subgroup_id')],
    }),
  ];
}

function channelTables(): Table[] {
  return [
    table(
      'channel_folder',
      [
        idColumn(),
        columns('text', 'name name_key description rendered_description'),
        columns('integer', 'creator_id', nullable),
        columns('bigint', 'date_created'),
        columns('integer', 'position'),
        columns('boolean', 'is_archived'),
      ],
      { references: [reference('creator_id', 'account')] },
    ),
    table(
      'channel',
      [
        idColumn(),
        columns('text', 'name name_key description rendered_description'),
        columns('bigint', 'date_created'),
        columns('integer', 'creator_id', nullable),
        columns(
          'boolean',
          'is_private is_web_public is_archived is_default is_history_public_to_subscribers',
        ),
        columns('integer', 'message_retention_days', nullable),
        columns('text', 'topics_policy'),
        columns('integer', 'first_message_id folder_id', nullable),
        columns('bigint', 'last_message_at', nullable),
        columns('integer', CHANNEL_GROUP_SETTINGS),
      ],
      {
        references: [reference('creator_id', 'account'), reference('folder_id', 'channel_folder')],
        indices: [index('channel', 'name_key', { unique: true })],
      },
    ),
    table(
      'channel_email_address',
      [columns('text', 'token', primary), columns('integer', 'channel_id user_id sender_id')],
      {
        references: [
          reference('channel_id', 'channel'),
          reference('user_id', 'account'),
          reference('sender_id', 'account'),
        ],
        indices: [index('channel_email_address', 'channel_id user_id sender_id', { unique: true })],
      },
    ),
    table(
      'subscription',
      [
        idColumn(),
        columns('integer', 'user_id channel_id'),
        columns('boolean', 'is_active'),
        columns('text', 'color'),
        columns('boolean', 'is_muted is_pinned'),
        columns(
          'boolean',
          'desktop_notifications audible_notifications push_notifications email_notifications wildcard_mentions_notify',
          nullable,
        ),
      ],
      {
        references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
        indices: [
          index('subscription', 'user_id channel_id', { unique: true }),
          index('subscription', 'channel_id'),
        ],
      },
    ),
    table(
      'subscription_period',
      [
        idColumn(),
        columns('integer', 'user_id channel_id first_message_id'),
        columns('integer', 'last_message_id', nullable),
      ],
      {
        references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
        indices: [
          index('subscription_period', 'user_id channel_id'),
          index('subscription_period', 'channel_id'),
        ],
      },
    ),
    table(
      'topic',
      [
        idColumn(),
        columns('integer', 'channel_id'),
        columns('text', 'name name_key'),
        columns('integer', 'max_message_id message_count'),
      ],
      {
        references: [reference('channel_id', 'channel')],
        indices: [
          index('topic', 'channel_id name_key', { unique: true }),
          index('topic', 'channel_id max_message_id'),
        ],
      },
    ),
    table(
      'user_topic',
      [
        columns('integer', 'user_id channel_id', primary),
        columns('text', 'topic_key', primary),
        columns('text', 'topic_name'),
        columns('integer', 'visibility_policy'),
        columns('bigint', 'last_updated'),
      ],
      { references: [reference('user_id', 'account'), reference('channel_id', 'channel')] },
    ),
  ];
}

function messageTables(): Table[] {
  return [
    table(
      'direct_conversation',
      [idColumn(), columns('text', 'members_key'), columns('integer', 'max_message_id')],
      { indices: [index('direct_conversation', 'members_key', { unique: true })] },
    ),
    table('direct_conversation_member', [columns('integer', 'conversation_id user_id', primary)], {
      references: [reference('conversation_id', 'direct_conversation'), reference('user_id', 'account')],
      indices: [index('direct_conversation_member', 'user_id')],
    }),
    table('mention_set', [idColumn(), columns('text', 'hash')], {
      indices: [index('mention_set', 'hash', { unique: true })],
    }),
    table('mention_set_member', [columns('integer', 'user_id set_id', primary)], {
      references: [reference('user_id', 'account'), reference('set_id', 'mention_set')],
    }),
    table(
      'message',
      [
        idColumn(),
        columns('integer', 'sender_id'),
        columns('integer', 'channel_id sent_channel_id topic_id conversation_id', nullable),
        columns('text', 'content rendered_content client_name'),
        columns('bigint', 'sent_at'),
        columns('bigint', 'last_edited_at last_moved_at', nullable),
        columns('integer', 'facts'),
        columns('integer', 'group_mention_set_id topic_mention_set_id', nullable),
      ],
      {
        references: [
          reference('sender_id', 'account'),
          reference('channel_id', 'channel'),
          reference('topic_id', 'topic'),
          reference('conversation_id', 'direct_conversation'),
          reference('group_mention_set_id', 'mention_set'),
          reference('topic_mention_set_id', 'mention_set'),
        ],
        indices: [
          index('message', 'channel_id id'),
          { ...index('message', 'sent_channel_id id'), where: 'sent_channel_id IS NOT NULL' },
          index('message', 'topic_id id'),
          index('message', 'conversation_id id'),
          index('message', 'sender_id id'),
          {
            name: 'ix_message_mentions',
            columnNames: ['id'],
            where: '(facts & 1) <> 0 OR group_mention_set_id IS NOT NULL OR topic_mention_set_id IS NOT NULL',
          },
        ],
      },
    ),
    table('message_flag', [columns('integer', 'user_id message_id', primary), columns('integer', 'flags')], {
      references: [reference('user_id', 'account'), reference('message_id', 'message')],
      indices: [index('message_flag', 'message_id')],
    }),
    table('read_block', [columns('integer', 'user_id block', primary), columns('text', 'bits')], {
      references: [reference('user_id', 'account')],
    }),
    table('read_watermark', [columns('integer', 'user_id', primary), columns('integer', 'message_id')], {
      references: [reference('user_id', 'account')],
    }),
  ];
}

function fileTables(): Table[] {
  return [
    table(
      'attachment',
      [
        idColumn(),
        columns('integer', 'owner_id'),
        columns('text', 'path file_name content_type'),
        columns('bigint', 'size created_at'),
      ],
      {
        references: [reference('owner_id', 'account')],
        indices: [index('attachment', 'path', { unique: true }), index('attachment', 'owner_id')],
      },
    ),
    table('attachment_message', [columns('integer', 'attachment_id message_id', primary)], {
      references: [reference('attachment_id', 'attachment'), reference('message_id', 'message')],
      indices: [index('attachment_message', 'message_id')],
    }),
  ];
}

/** Accounts, groups, channels, messages and files: the basis of the main interface. */
export class Initial1700000000001 implements MigrationInterface {
  name = 'Initial1700000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
