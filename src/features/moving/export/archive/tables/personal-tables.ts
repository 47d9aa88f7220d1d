import { type ExportContext, REALM, recipientId, RecipientType } from '../export-context';
import { type NamedRows, pagedRows, type RawRow } from '../row-files';
import { numbered } from './organization-tables';

/** Private data of the people whose private data the archive includes. */
export function personalTables(context: ExportContext): NamedRows[] {
  const { db, scope, clients } = context;
  const own = (query: string, keys: readonly string[], row: (raw: RawRow) => object | null) => {
    const { sql, values } = scope.own(query);
    return numbered(pagedRows(db, sql, keys, values), (raw) =>
      scope.hasPersonal(Number(raw.user_id)) ? row(raw) : null,
    );
  };
  return [
    [
      'zerver_userstatus',
      own('SELECT * FROM user_status', ['user_id'], (raw) => ({
        user_profile: raw.user_id,
        timestamp: 0,
        client: clients.numberOf('Internal'),
        status_text: raw.status_text,
        emoji_name: raw.emoji_name,
        emoji_code: raw.emoji_code,
        reaction_type: raw.emoji_type || 'unicode_emoji',
      })),
    ],
    [
      'zerver_usertopic',
      own('SELECT * FROM user_topic', ['user_id', 'channel_id', 'topic_key'], (raw) => ({
        user_profile: raw.user_id,
        stream: raw.channel_id,
        recipient: recipientId(RecipientType.channel, Number(raw.channel_id)),
        topic_name: raw.topic_name,
        last_updated: raw.last_updated,
        visibility_policy: raw.visibility_policy,
      })),
    ],
    [
      'zerver_muteduser',
      own('SELECT * FROM muted_user', ['user_id', 'muted_user_id'], (raw) => ({
        user_profile: raw.user_id,
        muted_user: raw.muted_user_id,
        date_muted: raw.muted_at,
      })),
    ],
    [
      'zerver_alertword',
      own('SELECT id, user_id, word FROM alert_word', ['id'], (raw) => ({
        realm: REALM,
        user_profile: raw.user_id,
        word: raw.word,
      })),
    ],
    [
      'zerver_savedsnippet',
      own('SELECT * FROM saved_snippet', ['id'], (raw) => ({
        realm: REALM,
        user_profile: raw.user_id,
        title: raw.title,
        content: raw.content,
        date_created: raw.created_at,
      })),
    ],
    [
      'zerver_onboardingstep',
      own('SELECT * FROM onboarding_step', ['user_id', 'step'], (raw) => ({
        user: raw.user_id,
        onboarding_step: raw.step,
        timestamp: 0,
      })),
    ],
    ['zerver_onboardingusermessage', []],
    [
      'zerver_service',
      // The archive must not allow impersonating the server; importing programs create new tokens.
      own('SELECT bot_id AS user_id, name, payload_url, interface FROM bot_service', ['user_id'], (raw) =>
        raw.payload_url === null
          ? null
          : {
              name: raw.name,
              user_profile: raw.user_id,
              base_url: raw.payload_url,
              token: '',
              interface: raw.interface,
            },
      ),
    ],
    [
      'zerver_botstoragedata',
      own('SELECT bot_id AS user_id, key, value FROM bot_storage', ['user_id', 'key'], (raw) => ({
        bot_profile: raw.user_id,
        key: raw.key,
        value: raw.value,
      })),
    ],
    ['zerver_botconfigdata', numbered(botConfiguration(context), (row) => row)],
    ['zerver_scheduledmessage', numbered(scheduledMessages(context), (row) => row)],
  ];
}

/** Drafts of the people whose private data the archive includes. */
export function draftTables({ db, scope }: ExportContext): NamedRows[] {
  return [
    [
      'parley_draft',
      numbered(pagedRows(db, 'SELECT * FROM draft'), (raw) =>
        scope.hasPersonal(Number(raw.user_id))
          ? {
              user_profile: raw.user_id,
              stream: raw.channel_id,
              people: JSON.parse(String(raw.recipient_ids)) as number[],
              subject: raw.topic,
              content: raw.content,
              last_edit_time: Number(raw.edited_at) / 1000,
            }
          : null,
      ),
    ],
  ];
}

async function* botConfiguration({ db, scope }: ExportContext): AsyncIterable<object> {
  for await (const raw of pagedRows(db, 'SELECT bot_id AS id, config FROM bot_service')) {
    if (!scope.hasPersonal(Number(raw.id))) continue;
    const config = JSON.parse(String(raw.config)) as Record<string, string>;
    for (const [key, value] of Object.entries(config)) yield { bot_profile: raw.id, key, value };
  }
}

/** Messages scheduled for later, except those to groups without a conversation yet, which would have no recipient. */
async function* scheduledMessages({ db, scope, clients }: ExportContext): AsyncIterable<object> {
  const { sql, values } = scope.own('SELECT * FROM scheduled_message');
  for await (const raw of pagedRows(db, sql, ['id'], values)) {
    const recipient = scheduledRecipient(raw);
    if (recipient === null || !scope.hasPersonal(Number(raw.user_id))) continue;
    yield {
      sender: raw.user_id,
      recipient,
      stream: raw.channel_id,
      subject: raw.topic,
      content: raw.content,
      rendered_content: raw.rendered_content,
      sending_client: clients.numberOf(String(raw.client_name)),
      realm: REALM,
      scheduled_timestamp: raw.deliver_at,
      read_by_sender: Boolean(raw.is_read_by_sender),
      delivered: false,
      delivered_message: null,
      has_attachment: String(raw.content).includes('/user_uploads/'),
      failed: Boolean(raw.has_failed),
      failure_message: null,
      delivery_type: 1,
    };
  }
}

function scheduledRecipient(raw: RawRow): number | null {
  if (raw.channel_id !== null) return recipientId(RecipientType.channel, Number(raw.channel_id));
  const [person, another] = JSON.parse(String(raw.recipient_ids)) as number[];
  if (person === undefined || another !== undefined) return null;
  return recipientId(RecipientType.person, person);
}
