import { type LevelContext, levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

const SETTING = 'can_send_message_group';

/** Numbers that stood for who may post. */
const POLICIES: ReadonlyMap<string, string> = new Map([
  ['1', 'role:everyone'],
  ['2', 'role:administrators'],
  ['3', 'role:fullmembers'],
  ['4', 'role:moderators'],
]);

export const change333Posting = levelChange(
  333,
  'Zulip 10.0, feature level 333: `can_send_message_group` takes the place of `stream_post_policy` and `is_announcement_only`.',
  newChannelSettings(SETTING),
  {
    asks: {
      'POST /users/me/subscriptions': (parameters, context) => {
        const group = groupIn(parameters, context);
        if (group !== null) parameters.set(SETTING, String(group));
      },
      'PATCH /streams/{stream_id}': (parameters, context) => {
        const group = groupIn(parameters, context);
        if (group !== null) parameters.set(SETTING, `{"new": ${group}}`);
      },
    },
  },
);

/** The group that may post; null where nothing is said of it. What a parameter said is taken away. */
function groupIn(parameters: Map<string, string>, context: LevelContext): number | null {
  const isForAnnouncements = parameters.get('is_announcement_only');
  const policy = parameters.get('stream_post_policy') ?? (isForAnnouncements === 'true' ? '2' : '1');
  const name = POLICIES.get(policy);
  const isSaid = parameters.has('stream_post_policy') || isForAnnouncements !== undefined;
  if (!isSaid || name === undefined) return null;
  parameters.delete('stream_post_policy');
  parameters.delete('is_announcement_only');
  return context.systemGroup(name);
}
