/** A table with rows of one person. */
export interface OwnTable {
  readonly table: string;
  /** Column with the person's ID. */
  readonly owner: string;
  /** Name in the archive; defaults to `parley_` and the table's name. */
  readonly name?: string;
  /** Columns that are unique among a person's rows; the ID by default. */
  readonly keys?: readonly string[];
  /** Exported columns. All others are left out, because a new column may be a secret. */
  readonly columns: readonly string[];
  /** Columns that must never be exported: secrets, inputs of secrets, and what others wrote. */
  readonly without?: readonly string[];
}

/** Tables that Zulip does not have, or whose rows archives of the organization leave out. */
export const OWN_TABLES: readonly OwnTable[] = [
  {
    table: 'account',
    owner: 'bot_owner_id',
    name: 'parley_bot',
    columns: ['id', 'full_name', 'delivery_email', 'is_active', 'date_joined'],
  },
  { table: 'account_identity', owner: 'user_id', columns: ['id', 'issuer', 'sub', 'created_at'] },
  {
    table: 'audit_entry',
    owner: 'actor_id',
    name: 'parley_action',
    columns: [
      'id',
      'created_at',
      'way',
      'address',
      'client_name',
      'action',
      'target_user_id',
      'target_id',
      'details',
    ],
  },
  {
    table: 'channel',
    owner: 'creator_id',
    name: 'parley_created_channel',
    columns: ['id', 'date_created'],
  },
  {
    table: 'channel_email_address',
    owner: 'user_id',
    keys: ['channel_id', 'sender_id'],
    columns: ['channel_id', 'sender_id'],
    without: ['token'],
  },
  {
    table: 'channel_folder',
    owner: 'creator_id',
    name: 'parley_created_channel_folder',
    columns: ['id', 'name', 'date_created'],
  },
  {
    table: 'client_device',
    owner: 'user_id',
    columns: ['id', 'push_token_kind', 'push_token_updated_at'],
    without: ['push_key_id', 'push_key', 'push_token_id', 'relay_public_key', 'sealed_registration'],
  },
  {
    table: 'custom_emoji',
    owner: 'author_id',
    name: 'parley_created_emoji',
    columns: ['id', 'name', 'is_deactivated'],
  },
  {
    table: 'desktop_sign_in',
    owner: 'user_id',
    columns: ['id', 'expires_at'],
    without: ['digest', 'grounds'],
  },
  {
    table: 'draft',
    owner: 'user_id',
    columns: ['id', 'channel_id', 'recipient_ids', 'topic', 'content', 'edited_at'],
  },
  {
    table: 'invitation',
    owner: 'inviter_id',
    columns: [
      'id',
      'email',
      'channel_ids',
      'group_ids',
      'state',
      'welcome_text',
      'role',
      'used_by_id',
      'is_multiuse',
      'with_default_channels',
      'notifies_inviter',
      'created_at',
      'expires_at',
      'ended_at',
    ],
    without: ['nonce', 'email_key', 'mails_asked'],
  },
  {
    table: 'invitation',
    owner: 'used_by_id',
    name: 'parley_used_invitation',
    columns: ['id', 'inviter_id', 'role', 'created_at', 'ended_at'],
  },
  { table: 'known_device', owner: 'user_id', columns: ['id', 'seen_at'], without: ['digest'] },
  {
    table: 'login_session',
    owner: 'user_id',
    columns: [
      'id',
      'created_at',
      'expires_at',
      'address',
      'user_agent',
      'kind',
      'provider_issuer',
      'last_used_at',
      'has_factor',
      'authenticated_at',
    ],
    without: ['token_id', 'provider_sid', 'sealed_id_token'],
  },
  {
    table: 'message_edit',
    owner: 'user_id',
    name: 'parley_edit',
    columns: ['id', 'message_id', 'edited_at', 'prev_content', 'prev_topic'],
  },
  {
    table: 'missed_message',
    owner: 'user_id',
    columns: ['id', 'message_id', 'noted_at', 'due_at', 'was_active', 'mailed_at'],
  },
  {
    table: 'named_key',
    owner: 'user_id',
    columns: [
      'id',
      'name',
      'scopes',
      'channel_ids',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'last_address',
    ],
    without: ['nonce'],
  },
  { table: 'navigation_view', owner: 'user_id', columns: ['id', 'fragment', 'is_pinned', 'name'] },
  {
    table: 'organization_export',
    owner: 'requester_id',
    columns: ['id', 'type', 'requested_at', 'succeeded_at', 'failed_at', 'deleted_at', 'size'],
    without: ['file_key'],
  },
  {
    table: 'passkey',
    owner: 'user_id',
    columns: ['id', 'name', 'site', 'sign_count', 'created_at', 'last_used_at'],
    without: ['credential_id', 'public_key', 'algorithm'],
  },
  {
    table: 'presence',
    owner: 'user_id',
    name: 'zerver_userpresence',
    keys: ['user_id'],
    columns: ['user_id', 'active_at', 'connected_at'],
    without: ['update_id'],
  },
  {
    table: 'push_registration',
    owner: 'user_id',
    columns: ['id', 'kind', 'app_id', 'created_at'],
    without: ['token'],
  },
  { table: 'read_block', owner: 'user_id', keys: ['block'], columns: ['block', 'bits'] },
  { table: 'read_watermark', owner: 'user_id', keys: ['user_id'], columns: ['message_id'] },
  {
    table: 'received_mail',
    owner: 'user_id',
    columns: ['id', 'received_at'],
    without: ['digest', 'target', 'options'],
  },
  {
    table: 'remembered_device',
    owner: 'user_id',
    columns: ['id', 'created_at', 'expires_at', 'last_used_at', 'address', 'user_agent'],
    without: ['digest'],
  },
  {
    table: 'reminder',
    owner: 'user_id',
    columns: ['id', 'target_message_id', 'note', 'deliver_at', 'has_failed'],
    // They quote another person's message.
    without: ['content', 'rendered_content'],
  },
  {
    table: 'reply_address',
    owner: 'user_id',
    columns: ['id', 'message_id', 'created_at'],
    without: ['token_hash', 'key_mark'],
  },
  {
    table: 'scheduled_message',
    owner: 'user_id',
    columns: [
      'id',
      'channel_id',
      'recipient_ids',
      'topic',
      'content',
      'client_name',
      'deliver_at',
      'has_failed',
    ],
    without: ['rendered_content', 'is_read_by_sender'],
  },
  {
    table: 'scim_person',
    owner: 'user_id',
    keys: ['user_id'],
    columns: ['directory', 'external_id', 'user_name'],
  },
  {
    table: 'second_factor',
    owner: 'user_id',
    keys: ['user_id'],
    columns: ['is_confirmed', 'created_at'],
    without: ['sealed_seed', 'recovery_codes', 'newest_step'],
  },
  { table: 'sent_scheduled_message', owner: 'user_id', columns: ['id', 'sent_at'] },
  { table: 'submessage', owner: 'sender_id', columns: ['id', 'message_id', 'msg_type', 'content'] },
  {
    table: 'unfinished_upload',
    owner: 'owner_id',
    columns: ['file_name', 'content_type', 'length', 'received', 'touched_at'],
    // The first column would allow continuing the upload.
    without: ['id', 'pieces'],
  },
  { table: 'upload_space', owner: 'user_id', keys: ['user_id'], columns: ['bytes'] },
  {
    table: 'user_group',
    owner: 'creator_id',
    name: 'parley_created_group',
    columns: ['id', 'name', 'date_created'],
  },
  {
    table: 'web_push_subscription',
    owner: 'user_id',
    columns: ['id', 'created_at', 'quiet_until'],
    without: ['session_token_id', 'endpoint', 'endpoint_hash', 'p256dh', 'auth', 'vapid_key'],
  },
  {
    table: 'webhook_call',
    owner: 'bot_id',
    columns: ['id', 'message_id', 'duration_ms', 'attempt', 'status', 'called_at'],
    without: ['error', 'answer'],
  },
];

/** Where the archive contains the rows of other columns that reference a person. */
export const EXPORTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'alert_word.user_id': 'zerver_alertword',
  'attachment.owner_id': 'zerver_attachment',
  'audit_entry.target_user_id': 'parley_action_of_others',
  'bot_service.bot_id': 'zerver_service',
  'bot_storage.bot_id': 'zerver_botstoragedata',
  'custom_profile_value.user_id': 'zerver_customprofilefieldvalue',
  'direct_conversation_member.user_id': 'zerver_recipient',
  'message.sender_id': 'zerver_message',
  'message_flag.user_id': 'parley_message_flag',
  'muted_user.user_id': 'zerver_muteduser',
  'onboarding_step.user_id': 'zerver_onboardingstep',
  'reaction.user_id': 'zerver_reaction',
  'saved_snippet.user_id': 'zerver_savedsnippet',
  'subscription.user_id': 'zerver_subscription',
  'subscription_period.user_id': 'zerver_realmauditlog',
  'user_group_member.user_id': 'zerver_usergroupmembership',
  'user_status.user_id': 'zerver_userstatus',
  'user_topic.user_id': 'zerver_usertopic',
};
