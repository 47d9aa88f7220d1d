import type { Member } from './cast';
import { expectSuccess } from './expect-answer';
import type { TestApp } from './test-app';

/** The parameters of a registration; without types it requests everything. */
export interface StateQuestion {
  readonly wanted?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly includeSubscribers?: boolean | 'partial';
  readonly clientGravatar?: boolean;
  readonly slimPresence?: boolean;
  readonly presenceHistoryDays?: number;
}

/** Keys of every response, whatever was requested. */
const ALWAYS = [
  'result',
  'msg',
  'queue_id',
  'last_event_id',
  'idle_queue_timeout_secs',
  'zulip_version',
  'zulip_merge_base',
  'zulip_feature_level',
  'max_reminder_note_length',
];

/** The initial state of a person, or, for null, of an anonymous client. */
export async function stateOf(
  app: TestApp,
  member: Pick<Member, 'id'> | null,
  { wanted, capabilities = [], ...question }: StateQuestion = {},
) {
  const declared = Object.fromEntries(capabilities.map((name) => [name, true]));
  const answer = await (member ? app.as(member) : app.client()).post('/register', {
    fetch_event_types: wanted,
    client_capabilities: { notification_settings_null: false, ...declared },
    include_subscribers: question.includeSubscribers,
    slim_presence: question.slimPresence,
    presence_history_limit_days: question.presenceHistoryDays,
    ...(member ? { client_gravatar: question.clientGravatar ?? false } : {}),
  });
  const state = { ...expectSuccess(answer) };
  for (const key of ALWAYS) Reflect.deleteProperty(state, key);
  return state;
}
