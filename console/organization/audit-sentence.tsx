import type { ComponentChildren } from 'preact';
import * as channelWords from '../channels/words';
import { channels, groups, people } from '../connection/state';
import * as groupWords from '../groups/words';
import { shownTime } from '../parts/format';
import { groupName } from '../parts/group-setting-field';
import { roleName } from '../people/people-page';
import { ROOT } from '../router';
import * as words from '../words';
import type * as auditWords from '../words/audit';
import * as organizationWords from './words';

type AuditWords = typeof auditWords;

/** What the audit log has of something that was done. */
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

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const CHANNEL_NAMES = /^(channels?|channel_ids?|(events|sending)_channel)$/;

/** What an ID stands for, a time, or the number itself. */
function numberText(area: string, name: string, value: number): string {
  if (name === 'role') return roleName(value);
  if (/_(at|since)$|_from$/.test(name)) return value === 0 ? '' : shownTime(value);
  // Of what commands did, the numbers are kept.
  if (area === 'server') return String(value);
  const isListed = name === 'added' || name === 'removed';
  if (/^(can_.*_group|groups)$/.test(name) || (isListed && area === 'group'))
    return groupName(groups.value.get(value));
  if (CHANNEL_NAMES.test(name) || isListed) return `#${channels.value.get(value)?.name ?? value}`;
  const isOwner = area === 'user' && (name === 'from' || name === 'to');
  return (isOwner && people.value.get(value)?.full_name) || String(value);
}

/** A permission, a list or a value as people read it; empty for what says nothing. */
function valueText(area: string, name: string, value: unknown, texts: AuditWords): string {
  if (typeof value === 'boolean') return value ? words.audit.yes : words.audit.no;
  if (typeof value === 'number') return numberText(area, name, value);
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
  return Object.entries(value)
    .map(([key, each]) => `${labelOf('', key, texts)}: ${valueText('', key, each, texts)}`)
    .join(', ');
}

/** Values before and after, with an arrow between them. */
function changeText(area: string, name: string, { from, to }: Change, texts: AuditWords): string {
  const [before, after] = [from, to].map((each) => valueText(area, name, each, texts) || words.none);
  return `${before} → ${after}`;
}

/** The same settings under their names in the log. */
const LOGGED_AS: Readonly<Record<string, string>> = {
  'channel.name': 'new_name',
  'channel.is_default': 'is_default_stream',
};

interface SettingWords {
  readonly label: string;
  readonly choices?: Readonly<Record<string, string>>;
}

const SETTINGS: Readonly<Record<string, Readonly<Record<string, SettingWords>>>> = {
  channel: channelWords.settings,
  group: groupWords.settings,
  organization: organizationWords.settings,
};

const settingOf = (area: string, name: string): SettingWords | undefined =>
  SETTINGS[area]?.[LOGGED_AS[`${area}.${name}`] ?? name];

/** What a property is called on the pages that change it, or here alone. */
function labelOf(area: string, name: string, texts: AuditWords): string {
  if (area === 'channel' && /^is_(private|web_public|history_public)$/.test(name))
    return channelWords.privacy.label;
  if (area === 'channel' && name === 'folder_id') return channelWords.folder.label;
  const own = settingOf(area, name)?.label ?? texts.names[name];
  if (own) return own;
  const common: Readonly<Record<string, string>> = { name: words.name, description: words.description };
  return common[name] ?? name.replaceAll('_', ' ');
}

/** What the sentence does not tell, each with its label. */
export function detailsOf(entry: Entry, texts: AuditWords): (readonly [string, string])[] {
  const [area = ''] = entry.action.split('.');
  const sentence = templateOf(entry, texts);
  const privacy: Readonly<Record<string, string>> = area === 'channel' ? texts.privacy : {};
  return Object.entries(entry.details)
    .filter(([name]) => !sentence.includes(`{${name}}`))
    .map(([name, value]): readonly [string, string] => [
      privacy[name] ?? labelOf(area, name, texts),
      valueText(area, name, value, texts),
    ])
    .filter(([, text]) => text !== '');
}

/** The sentence for the privacy that a channel got; undefined where other things changed, too. */
function privacyOf({ details }: Entry, { changed }: AuditWords): string | undefined {
  const after = (name: string) => (details[name] as Change | undefined)?.to;
  if (!Object.keys(details).every((name) => /^is_(private|web_public|history_public)$/.test(name)))
    return undefined;
  if (after('is_web_public') === true) return changed.webPublic;
  const isPrivate = after('is_private');
  if (typeof isPrivate === 'boolean') return isPrivate ? changed.private : changed.public;
  return after('is_web_public') === false ? changed.public : undefined;
}

/** The sentence of an entry, in which names still stand in braces. */
function templateOf(entry: Entry, texts: AuditWords): string {
  const { action, details } = entry;
  // Someone who is signed in already.
  if (action === 'user.sign_in_failed' && entry.actor_id !== null) return texts.changed.confirmationFailed;
  const isOwn =
    entry.target_user_id !== null && (entry.actor_id ?? entry.target_user_id) === entry.target_user_id;
  const own = (texts.own as Readonly<Record<string, string>>)[action];
  // The operator and the server have no account, and do nothing to themselves.
  if (own && isOwn && (entry.actor_id !== null || /^(main|companion)$/.test(entry.way))) return own;
  const names = Object.keys(details).join();
  if (action === 'channel.changed' && names !== '') {
    const { changed } = texts;
    const special = names === 'name' ? changed.renamedChannel : privacyOf(entry, texts);
    if (special) return special;
  }
  if (action === 'group.changed' && names === 'name') return texts.changed.renamedGroup;
  return (texts.sentences as Readonly<Record<string, string>>)[action] ?? action;
}

const Person = ({ id, name }: { readonly id: number; readonly name: string }) => (
  <a href={`${ROOT}/people/${id}`}>
    <bdi>{name}</bdi>
  </a>
);

/** A name in the sentence: a link where there is a page about it. */
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
    case 'channel': {
      const channel = channels.value.get(target ?? 0);
      const known = channel?.name ?? (typeof details['name'] === 'string' ? details['name'] : target);
      return channel ? (
        <a href={`${ROOT}/channel-settings/${target}`}>
          #<bdi>{known}</bdi>
        </a>
      ) : (
        <bdi>#{known}</bdi>
      );
    }
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

/** What was done, and by whom, in a sentence. */
export function Sentence({ entry, texts }: { readonly entry: Entry; readonly texts: AuditWords }) {
  const parts = templateOf(entry, texts).split(/\{(\w+)\}/);
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : partOf(entry, part, texts)))}</>;
}
