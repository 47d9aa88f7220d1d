import type { ComponentChildren } from 'preact';
import * as channelWords from '../channels/words';
import { channels, groups, people } from '../connection/state';
import * as groupWords from '../groups/words';
import { shownTime } from '../parts/format';
import { groupName } from '../parts/group-setting-field';
import { roleName } from '../people/people-page';
import { ROOT } from '../router';
import * as settingWords from '../settings/words';
import * as words from '../words';
import type * as auditWords from '../words/audit';
import * as organizationWords from './words';

type AuditWords = typeof auditWords;

/** An entry of the audit log. */
export interface Entry {
  readonly id: number;
  readonly created_at: number;
  readonly way: string;
  readonly address: string;
  readonly client: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly target_user_id: number | null;
  readonly target_user_name: string | null;
  readonly target_id: number | null;
  readonly details: Readonly<Record<string, unknown>>;
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** Default settings of new users. */
const DEFAULTS = 'user_settings_defaults';

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const CHANNEL_NAMES = /^(channels?|channel_ids?|(events|sending)_channel)$/;

/** IDs of objects without a page or name. */
const NAMELESS = /^(topic_id|invitation|passkey)$/;

/** The name of an ID, a time, or the number itself. */
function numberText(area: string, name: string, value: number): string {
  if (name === 'role') return roleName(value);
  if (NAMELESS.test(name)) return '';
  if (/_(at|since)$|_from$/.test(name)) return value === 0 ? '' : shownTime(value);
  // For server commands, numbers are counts.
  if (area === 'server') return String(value);
  const isListed = name === 'added' || name === 'removed';
  if (/^(can_.*_group|groups)$/.test(name) || (isListed && area === 'group'))
    return groupName(groups.value.get(value));
  if (CHANNEL_NAMES.test(name) || isListed) return `#${channels.value.get(value)?.name ?? value}`;
  const isOwner = area === 'user' && (name === 'from' || name === 'to');
  return (isOwner && people.value.get(value)?.full_name) || String(value);
}

/** A permission, list or value in readable form; empty if it has no meaning. */
function valueText(area: string, name: string, value: unknown, texts: AuditWords): string {
  if (typeof value === 'boolean') return value ? words.audit.yes : words.audit.no;
  if (typeof value === 'number') {
    const chosen = area === 'user' ? settingOf(area, name)?.choices?.[value] : undefined;
    return chosen ?? numberText(area, name, value);
  }
  if (typeof value === 'string')
    return texts.values[name]?.[value] ?? settingOf(area, name)?.choices?.[value] ?? value;
  if (typeof value !== 'object' || value === null) return '';
  if (isChange(value)) return changeText(area, name, value, texts);
  if (Array.isArray(value)) return value.map((each) => valueText(area, name, each, texts)).join(', ');
  const { direct_members: members, direct_subgroups: subgroups } = value as Record<string, readonly number[]>;
  if (Array.isArray(members) && Array.isArray(subgroups)) {
    const names = members.map((id) => people.value.get(id)?.full_name ?? `#${id}`);
    return [...subgroups.map((id) => groupName(groups.value.get(id))), ...names].join(', ');
  }
  const inner = name === DEFAULTS ? 'user' : '';
  return Object.entries(value)
    .map(([key, each]) => `${labelOf(inner, key, texts)}: ${valueText(inner, key, each, texts)}`)
    .join(', ');
}

/** Old and new values with an arrow between them. */
function changeText(area: string, name: string, { from, to }: Change, texts: AuditWords): string {
  const [before, after] = [from, to].map((each) => valueText(area, name, each, texts) || words.none);
  return `${before} → ${after}`;
}

/** Names in the log of settings that have another name in the API. */
const LOGGED_AS: Readonly<Record<string, string>> = {
  'channel.name': 'new_name',
  'channel.is_default': 'is_default_stream',
};

interface SettingWords {
  readonly label: string;
  readonly choices?: Readonly<Record<string, string>>;
}

const { appearance, firstView, notifications, privacy, reading, time, topics, writing } = settingWords;

/** Choices numbered from 1. */
const counted = (choices: readonly string[]) =>
  Object.fromEntries(choices.map((label, index) => [index + 1, label]));
const notified = (row: keyof typeof notifications.rows, column: keyof typeof notifications.columns) => ({
  label: notifications.cell(notifications.rows[row], notifications.columns[column]),
});

/** Personal settings under the names on their pages. */
const PERSONAL: Readonly<Record<string, SettingWords>> = {
  default_language: { label: settingWords.languages.title },
  color_scheme: { label: appearance.theme, choices: counted(appearance.themes) },
  web_font_size_px: { label: appearance.size },
  web_line_height_percent: { label: appearance.lines, choices: appearance.spacings },
  high_contrast_mode: { label: appearance.contrast },
  fluid_layout_width: { label: appearance.wide },
  twenty_four_hour_time: { label: `${time.format}: 21:05` },
  enter_sends: { label: writing.enter },
  translate_emoticons: { label: writing.emoticons },
  web_mark_read_on_scroll_policy: { label: reading.mark, choices: counted(reading.marked) },
  web_home_view: { label: firstView.title, choices: firstView.homes },
  automatically_follow_topics_policy: { label: topics.follow, choices: counted(topics.policies) },
  automatically_follow_topics_where_mentioned: { label: topics.mentioned },
  automatically_unmute_topics_in_muted_streams_policy: {
    label: topics.unmute,
    choices: counted(topics.policies),
  },
  resolved_topic_notice_auto_read_policy: { label: topics.resolved, choices: topics.resolvedPolicies },
  presence_enabled: { label: privacy.presence_enabled },
  send_private_typing_notifications: { label: privacy.send_private_typing_notifications },
  send_stream_typing_notifications: { label: privacy.send_stream_typing_notifications },
  receives_typing_notifications: { label: privacy.receives_typing_notifications },
  send_read_receipts: { label: privacy.send_read_receipts },
  allow_private_data_export: { label: privacy.allow_private_data_export },
  email_address_visibility: { label: privacy.visibility, choices: privacy.visibilities },
  enable_desktop_notifications: notified('personal', 'desktop'),
  enable_sounds: notified('personal', 'sound'),
  enable_offline_push_notifications: notified('personal', 'push'),
  enable_offline_email_notifications: notified('personal', 'email'),
  enable_followed_topic_desktop_notifications: notified('followed', 'desktop'),
  enable_followed_topic_audible_notifications: notified('followed', 'sound'),
  enable_followed_topic_push_notifications: notified('followed', 'push'),
  enable_followed_topic_email_notifications: notified('followed', 'email'),
  enable_stream_desktop_notifications: notified('channels', 'desktop'),
  enable_stream_audible_notifications: notified('channels', 'sound'),
  enable_stream_push_notifications: notified('channels', 'push'),
  enable_stream_email_notifications: notified('channels', 'email'),
  wildcard_mentions_notify: { label: notifications.wildcards },
  enable_followed_topic_wildcard_mentions_notify: { label: notifications.followedWildcards },
  pm_content_in_desktop_notifications: { label: notifications.text },
  enable_online_push_notifications: { label: notifications.online },
  message_content_in_email_notifications: { label: notifications.mailText },
  email_notifications_batching_period_seconds: {
    label: notifications.mailAfter,
    choices: notifications.delays,
  },
  enable_login_emails: { label: notifications.signIns },
  desktop_icon_count_display: { label: notifications.count, choices: counted(notifications.counts) },
};

const SETTINGS: Readonly<Record<string, Readonly<Record<string, SettingWords>>>> = {
  channel: channelWords.settings,
  group: groupWords.settings,
  organization: organizationWords.settings,
  user: PERSONAL,
};

const settingOf = (area: string, name: string): SettingWords | undefined =>
  SETTINGS[area]?.[LOGGED_AS[`${area}.${name}`] ?? name];

/** The label of a property on its settings page, or one only used here. */
function labelOf(area: string, name: string, texts: AuditWords): string {
  if (area === 'channel' && /^is_(private|web_public|history_public)$/.test(name))
    return channelWords.privacy.label;
  if (area === 'channel' && name === 'folder_id') return channelWords.folder.label;
  const personal = area === 'user' ? texts.personal[name] : undefined;
  const own = settingOf(area, name)?.label ?? personal ?? texts.names[name];
  if (own) return own;
  const common: Readonly<Record<string, string>> = { name: words.name, description: words.description };
  return common[name] ?? name.replaceAll('_', ' ');
}

/** Labeled details that the sentence does not mention. */
export function detailsOf(entry: Entry, texts: AuditWords): (readonly [string, string])[] {
  const [area = ''] = entry.action.split('.');
  const sentence = templateOf(entry, texts);
  const privacy: Readonly<Record<string, string>> = area === 'channel' ? texts.privacy : {};
  return (
    Object.entries(entry.details)
      .filter(([name]) => !sentence.includes(`{${name}}`))
      // The sentence names the channels; topics are not named here.
      .filter(([name]) => entry.action !== 'message.moved' || !/^(from|to)$/.test(name))
      .map(([name, value]): readonly [string, string] => [
        privacy[name] ?? labelOf(area, name, texts),
        valueText(area, name, value, texts),
      ])
      .filter(([, text]) => text !== '')
  );
}

/** The sentence for a change of a channel's privacy; undefined if other properties changed as well. */
function privacyOf({ details }: Entry, { changed }: AuditWords): string | undefined {
  const after = (name: string) => (details[name] as Change | undefined)?.to;
  if (!Object.keys(details).every((name) => /^is_(private|web_public|history_public)$/.test(name)))
    return undefined;
  if (after('is_web_public') === true) return changed.webPublic;
  const isPrivate = after('is_private');
  if (typeof isPrivate === 'boolean') return isPrivate ? changed.private : changed.public;
  return after('is_web_public') === false ? changed.public : undefined;
}

interface Topic {
  readonly channel: number;
  readonly topic_id: number;
}

/** The old and new places of moved messages. */
const movedIn = ({ details }: Entry) => details as { readonly from?: Topic; readonly to?: Topic };

function moveOf(entry: Entry, { changed, sentences }: AuditWords): string {
  const { from, to } = movedIn(entry);
  if (!from || !to) return sentences['message.moved'];
  if (from.channel !== to.channel) return changed.movedToChannel;
  return from.topic_id === to.topic_id ? changed.renamedTopic : changed.movedToTopic;
}

/** The sentence of an entry, with placeholders in braces. */
function templateOf(entry: Entry, texts: AuditWords): string {
  const { action, details } = entry;
  // The user was already signed in.
  if (action === 'user.sign_in_failed' && entry.actor_id !== null) return texts.changed.confirmationFailed;
  const isOwn =
    entry.target_user_id !== null && (entry.actor_id ?? entry.target_user_id) === entry.target_user_id;
  const own = (texts.own as Readonly<Record<string, string>>)[action];
  // The operator and the server have no account, so they cannot act on themselves.
  if (own && isOwn && (entry.actor_id !== null || /^(main|companion)$/.test(entry.way))) return own;
  const names = Object.keys(details).join();
  if (action === 'channel.changed' && names !== '') {
    const { changed } = texts;
    const special = names === 'name' ? changed.renamedChannel : privacyOf(entry, texts);
    if (special) return special;
  }
  if (action === 'group.changed' && names === 'name') return texts.changed.renamedGroup;
  if (action === 'organization.changed' && names === DEFAULTS) return texts.changed.defaults;
  if (action === 'message.moved') return moveOf(entry, texts);
  return (texts.sentences as Readonly<Record<string, string>>)[action] ?? action;
}

const Person = ({ id, name }: { readonly id: number; readonly name: string }) => (
  <a href={`${ROOT}/people/${id}`}>
    <bdi>{name}</bdi>
  </a>
);

/** @param name the channel's name at the time, if the entry contains it */
function Channel({ id, name }: { readonly id: number | null; readonly name?: unknown }) {
  const channel = channels.value.get(id ?? 0);
  const known = channel?.name ?? (typeof name === 'string' ? name : id);
  return channel ? (
    <a href={`${ROOT}/channel-settings/${id}`}>
      #<bdi>{known}</bdi>
    </a>
  ) : (
    <bdi>#{known}</bdi>
  );
}

/** The text of a placeholder, with a link if there is a page. */
function partOf(entry: Entry, name: string, texts: AuditWords): ComponentChildren {
  const { details, target_id: target } = entry;
  const [area = ''] = entry.action.split('.');
  const detail = details[name];
  switch (name) {
    case 'actor':
      return entry.actor_id === null ? (
        ((texts.actors as Readonly<Record<string, string>>)[entry.way] ?? entry.way)
      ) : (
        <Person id={entry.actor_id} name={entry.actor_name ?? `#${entry.actor_id}`} />
      );
    case 'user':
      return entry.target_user_id === null ? (
        texts.page.unnamed
      ) : (
        <Person id={entry.target_user_id} name={entry.target_user_name ?? texts.page.gone} />
      );
    case 'channel':
      return <Channel id={target} name={details['name']} />;
    case 'channelBefore':
      return <Channel id={movedIn(entry).from?.channel ?? null} />;
    case 'channelAfter':
      return <Channel id={movedIn(entry).to?.channel ?? null} />;
    case 'defaults':
      return Object.keys(details[DEFAULTS] as object)
        .map((each) => labelOf('user', each, texts))
        .join(', ');
    case 'group': {
      const group = groups.value.get(target ?? 0);
      const known = typeof details['name'] === 'string' ? details['name'] : `#${target}`;
      return group ? <a href={`${ROOT}/groups/${group.id}`}>{groupName(group)}</a> : <bdi>{known}</bdi>;
    }
    case 'changes':
      return (
        [...new Set(Object.keys(details).map((each) => labelOf(area, each, texts)))].join(', ') ||
        texts.page.unnamed
      );
    case 'reason':
      return (texts.reasons as Readonly<Record<string, string>>)[String(detail)] ?? texts.page.unnamed;
    case 'from':
    case 'to': {
      const change =
        entry.action === 'user.role_changed'
          ? details
          : (details['name'] as Readonly<Record<string, unknown>>);
      return (
        <bdi>
          {valueText(area, entry.action === 'user.role_changed' ? 'role' : name, change[name], texts)}
        </bdi>
      );
    }
    default:
      return <bdi>{valueText(area, name, detail, texts) || texts.page.unnamed}</bdi>;
  }
}

/** A sentence that says what was done and by whom. */
export function Sentence({ entry, texts }: { readonly entry: Entry; readonly texts: AuditWords }) {
  const parts = templateOf(entry, texts).split(/\{(\w+)\}/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : partOf(entry, part, texts)))}</>;
}
