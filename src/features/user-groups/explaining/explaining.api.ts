import type { Explanation, ReasonLink } from '../user-groups.hooks';
import { ConfusingParameters } from '../../../platform/errors/request.errors';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { WireType } from '../../../platform/http/parameters/json-type';
import type { ExplainedObject } from './explain-permission.service';

/** One step of the reasons, for programs. */
export interface ReasonStep {
  /** A permission, a group that holds it or is nested in one that does, or a decisive fact. */
  readonly kind: 'setting' | 'group' | 'fact';
  /** The name of the setting or group, or the fact in words; null for people and groups selected individually. */
  readonly name: string | null;
  /** Set for a group with a name. */
  readonly group_id: number | null;
}

/** Whether a person may do something, and why. */
export interface ExplanationWire {
  readonly allowed: boolean;
  /** The reasons in words, from the setting down to the person. */
  readonly chain: readonly string[];
  /** The reasons for programs. */
  readonly steps: readonly ReasonStep[];
}

/** The explanation of one action in a list. */
export interface ExplainedAction extends ExplanationWire {
  readonly action: string;
}

/** The record of an explanation. */
export function explanationWire({ allowed, chain }: Explanation): ExplanationWire {
  return { allowed, chain: chain.map(inWords), steps: chain.map(asStep) };
}

function inWords(link: ReasonLink): string {
  if (typeof link === 'string') return link;
  const { group } = link;
  return group ? `group ${group.id} (${group.name})` : 'people and groups chosen one by one';
}

function asStep(link: ReasonLink): ReasonStep {
  if (typeof link !== 'string') {
    return { kind: 'group', name: link.group?.name ?? null, group_id: link.group?.id ?? null };
  }
  return { kind: isSettingName(link) ? 'setting' : 'fact', name: link, group_id: null };
}

/** Setting names are identifiers, facts are sentences. */
function isSettingName(text: string): boolean {
  return /^can_[a-z_]+$/.test(text);
}

const optional = { optional: true } as const;

const integer = json.integer();
const address = text();

/** An ID or an address. */
const idOrAddress: WireType<number | string> = {
  jsonSchema: { oneOf: [integer.jsonSchema, address.jsonSchema] },
  decode: (raw, at) => (raw.includes('@') ? address : integer).decode(raw, at),
};

/** Parameters of `GET /permissions/actions`: the organization's actions, unless an object is given. */
export class ExplainActionsDto {
  /** ID or email address of the account whose permissions are explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /** ID of the channel to explain. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group to explain. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message to explain. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** Parameters of `GET /permissions/explain`: the action is the organization's, unless an object is given. */
export class ExplainPermissionDto {
  /** ID or email address of the account whose permission is explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /**
   * The action to explain. With `channel_id`: `see`, `read`, `subscribe`, `send_message`, `create_topic`, `administer`,
   * `add_subscribers`, `remove_subscribers`, `remove_own_bots`, or a setting of `PATCH /streams/{stream_id}` that names
   * a group. With `message_id`: `read`, `react`, `edit`, `delete`, `change_topic`, `change_channel`, `resolve_topic`.
   * With `group_id`: `update`, `deactivate`, `join`, `leave`, `add_members`, `remove_members`, `add_subgroups`,
   * `remove_subgroups`, `mention`. Without an object: a setting of `PATCH /realm` that names a group. The error for any
   * other word lists them all.
   */
  @Parameter(text(), { checked: { pattern: '^[a-z_]+$' } }) action!: string;
  /** ID of the channel to explain. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group to explain. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message to explain. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** @throws ConfusingParameters for several objects */
export function toExplainedObject({
  channel_id: channelId,
  group_id: groupId,
  message_id: messageId,
}: Omit<ExplainPermissionDto, 'action'>): ExplainedObject {
  const given = Object.entries({ channel_id: channelId, group_id: groupId, message_id: messageId })
    .filter(([, id]) => id !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new ConfusingParameters(given[0] as string, given[1] as string);
  if (channelId !== undefined) return { kind: 'channel', id: channelId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  if (messageId !== undefined) return { kind: 'message', id: messageId };
  return { kind: 'organization', id: 0 };
}
