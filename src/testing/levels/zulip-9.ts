import {
  INVITATIONS,
  isNamed,
  isObject,
  newAnswerKeys,
  newKeys,
  newParameters,
  newParameterValue,
  newProfileFieldKeys,
  newRoutes,
  newStateKeys,
  objectIn,
} from './records';
import { type Json, type LevelChange, since, unchanged } from './level-change';
import { newNarrowTerms } from './narrows';
import {
  asOneGroup,
  newChannelUpdates,
  newOrganizationSettings,
  newPersonalSettings,
  policyBefore,
  renamedOrganizationSetting,
} from './settings';

/** The levels of Zulip 9.0. */
export const ZULIP_9: readonly LevelChange[] = [
  unchanged(238, 'reserved, no change'),
  unchanged(239, 'reserved, no change'),
  since(240, { event: withImmediate }), // `restart` said whether to reload at once
  since(
    241,
    renamedOrganizationSetting('notifications_stream_id', 'new_stream_announcements_stream_id'),
    renamedOrganizationSetting('signup_notifications_stream_id', 'signup_announcements_stream_id'),
  ),
  since(242, newOrganizationSettings('zulip_update_announcements_stream_id')),
  since(243, { state: methodsAsBooleans, event: methodsAsBooleansInEvent }),
  since(244, newProfileFieldKeys('required')),
  since(245, newPersonalSettings('web_font_size_px', 'web_line_height_percent')),
  since(246, newOrganizationSettings('require_unique_names')),
  unchanged(247, '`@**channel**` mentions everyone in a channel: rendering is the same at every level'),
  since(
    248,
    newParameterValue(
      [
        'POST /messages',
        'POST /scheduled_messages',
        'PATCH /scheduled_messages/{scheduled_message_id}',
        'POST /typing',
      ],
      'type',
      'channel',
    ),
  ),
  since(249, newNarrowTerms('has:reaction')),
  since(250, newNarrowTerms('channel', 'channels')),
  since(251, { state: quotaInBytes }),
  since(252, { asks: { 'PATCH /realm/profile_fields/{field_id}': emptyWhereMissing } }),
  since(253, newPersonalSettings('receives_typing_notifications')),
  since(254, newKeys('channel', 'creator_id')),
  unchanged(255, '"stream" became "channel" in error messages: clients read `code`'),
  since(256, newChannelUpdates('first_message_id')),
  since(257, newStateKeys('realm_url'), newAnswerKeys('GET /server_settings', 'realm_url')),
  since(258, {
    records: { group: (group, context) => asOneGroup(group, 'can_mention_group', context) },
  }),
  unchanged(259, 'onboarding steps of the kind `hotspot` are gone: there never were any'),
  since(260, { asks: { 'PATCH /user_groups/{user_group_id}': mentionGroupAsNumber } }),
  since(261, newParameters(INVITATIONS, 'include_realm_default_subscriptions')),
  since(262, newRoutes('GET /users/{user_id}/status')),
  since(
    263,
    newParameters('POST /users/me/presence', 'last_update_id'),
    newAnswerKeys('POST /users/me/presence', 'presence_last_update_id'),
    newStateKeys('presence_last_update_id'),
  ),
  since(264, ...policyBefore('can_create_public_channel_group', 'create_public_stream_policy')),
  since(265, newNarrowTerms('is:followed')),
  since(266, ...policyBefore('can_create_private_channel_group', 'create_private_stream_policy')),
  since(
    267,
    newParameters('POST /invites', 'notify_referrer_on_join'),
    newKeys('invitation', 'notify_referrer_on_join'),
  ),
  since(268, newPersonalSettings('web_navigate_to_sent_message')),
  since(269, newPersonalSettings('web_channel_default_view')),
  since(
    270,
    newOrganizationSettings('direct_message_initiator_group'),
    ...policyBefore('direct_message_permission_group', 'private_message_policy', {
      'role:everyone': 1,
      'role:nobody': 2,
    }),
  ),
  since(271, newNarrowTerms('with')),
  since(272, newAnswerKeys('POST /user_uploads', 'url')),
  since(273, newStateKeys('server_thumbnail_formats')),
  unchanged(274, '`delete_message` also goes to the deleter: recipients are the same at every level'),
  since(275, newPersonalSettings('web_animate_image_previews')),
  since(276, { html: (html) => html.replace(/ data-original-dimensions="[^"]*"/g, '') }),
  unchanged(277, 'Zulip 9.0 was released'),
  unchanged(278, 'as 276, for images that are still loading: no release lies between'),
];

function withImmediate(event: Json): Json {
  return isNamed(event, 'restart') ? { ...event, immediate: false } : event;
}

/** Each authentication method was a boolean instead of an object. */
function methodsAsBooleans(state: Json): void {
  asBooleans(objectIn(state, 'realm_authentication_methods'));
}

function methodsAsBooleansInEvent(event: Json): Json {
  if (isNamed(event, 'realm/update_dict'))
    asBooleans(objectIn(objectIn(event, 'data'), 'authentication_methods'));
  return event;
}

function asBooleans(methods: Json): void {
  for (const [name, method] of Object.entries(methods)) {
    if (isObject(method)) methods[name] = method['enabled'];
  }
}

const BYTES_PER_MIB = 1_048_576;

/** Bytes, despite the name. */
function quotaInBytes(state: Json): void {
  const quota = state['realm_upload_quota_mib'];
  if (typeof quota === 'number') state['realm_upload_quota_mib'] = quota * BYTES_PER_MIB;
}

/** Omitted fields became empty; today they stay. */
function emptyWhereMissing(parameters: Map<string, string>): void {
  const empty = { name: '', hint: '', ['display_in_profile_summary']: 'false' };
  for (const [name, value] of Object.entries(empty)) if (!parameters.has(name)) parameters.set(name, value);
}

/** The group was a plain number instead of an object with `new`. Objects are refused. */
function mentionGroupAsNumber(parameters: Map<string, string>): void {
  const value = parameters.get('can_mention_group');
  if (value === undefined) return;
  parameters.set('can_mention_group', /^\d+$/.test(value) ? `{"new": ${value}}` : `no number: ${value}`);
}
