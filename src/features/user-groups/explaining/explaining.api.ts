import type { Explanation, ReasonLink } from '../user-groups.hooks';
import { ConfusingParameters } from '../../../platform/errors/request.errors';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { WireType } from '../../../platform/http/parameters/json-type';
import type { AskedObject } from './explain-permission.service';

/** A part of the reasons, for programs. */
export interface ReasonStep {
  /** A permission, a group that holds it or lies in one that does, or a fact that decides. */
  readonly kind: 'setting' | 'group' | 'fact';
  /** The name of the setting or group, or the fact in words; null where people and groups were chosen one by one. */
  readonly name: string | null;
  /** Of a group that has a name. */
  readonly group_id: number | null;
}

/** Whether a person may do something, and why. */
export interface ExplanationWire {
  readonly allowed: boolean;
  /** What it rests on in words, from the setting down to the person. */
  readonly chain: readonly string[];
  /** The same for programs. */
  readonly steps: readonly ReasonStep[];
}

/** The same of one action among others. */
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

/** Facts are in words, which settings are not. */
function isSettingName(text: string): boolean {
  return /^can_[a-z_]+$/.test(text);
}

const optional = { optional: true } as const;

const integer = json.integer();
const address = text();

/** An ID, or else an address. */
const idOrAddress: WireType<number | string> = {
  jsonSchema: { oneOf: [integer.jsonSchema, address.jsonSchema] },
  decode: (raw, at) => (raw.includes('@') ? address : integer).decode(raw, at),
};

/** Parameters of `GET /permissions/actions`: without an object, it is about the organization. */
export class ExplainActionsDto {
  /** ID or e-mail address of the account whose permissions are explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /** ID of the channel that it is about. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group that it is about. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message that it is about. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** Parameters of `GET /permissions/explain`: without an object, the action is the organization's. */
export class ExplainPermissionDto {
  /** ID or e-mail address of the account whose permission is explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /**
   * What is asked about. With `channel_id`: `see`, `read`, `subscribe`, `send_message`, `create_topic`, `administer`,
   * `add_subscribers`, `remove_subscribers`, `remove_own_bots`, or a setting of `PATCH /streams/{stream_id}` that names a
   * group. With `message_id`: `read`, `react`, `edit`, `delete`, `change_topic`, `change_channel`, `resolve_topic`. With
   * `group_id`: `update`, `deactivate`, `join`, `leave`, `add_members`, `remove_members`, `add_subgroups`,
   * `remove_subgroups`, `mention`. Without any of these: a setting of `PATCH /realm` that names a group. The refusal of
   * another word lists them all.
   */
  @Parameter(text(), { checked: { pattern: '^[a-z_]+$' } }) action!: string;
  /** ID of the channel that it is about. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group that it is about. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message that it is about. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** @throws ConfusingParameters for several objects at once */
export function toAskedObject({
  channel_id: channelId,
  group_id: groupId,
  message_id: messageId,
}: Omit<ExplainPermissionDto, 'action'>): AskedObject {
  const given = Object.entries({ channel_id: channelId, group_id: groupId, message_id: messageId })
    .filter(([, id]) => id !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new ConfusingParameters(given[0] as string, given[1] as string);
  if (channelId !== undefined) return { kind: 'channel', id: channelId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  if (messageId !== undefined) return { kind: 'message', id: messageId };
  return { kind: 'organization', id: 0 };
}
