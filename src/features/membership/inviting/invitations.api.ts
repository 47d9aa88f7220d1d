import { IsIn, IsOptional } from 'class-validator';
import { Role } from '../../../platform/actor';
import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { InvitationTerms } from './invitation-terms.service';

const ROLES: readonly number[] = Object.values(Role);

/** Ten days. */
const DEFAULT_MINUTES = 14_400;

/** About four thousand years. */
const MAX_MINUTES = 2 ** 31 - 1;

/** Enough for the maximum number of addresses, with names. */
const MAX_INVITEES_LENGTH = 200_000;
const MAX_WELCOME_TEXT = 8_000;
const MAX_CHANNELS = 1_000;
const MAX_GROUPS = 1_000;

const optional = { optional: true } as const;

/** Parameters of all invitations. */
class InvitationDto {
  /** Validity in minutes, ten days if omitted; `null` for unlimited. */
  @Parameter(json.nullable(json.integer({ min: 1, max: MAX_MINUTES })), { ...optional, example: 14400 })
  invite_expires_in_minutes?: number | null;

  /** Role of the new account: 100 owner, 200 administrator, 300 moderator, 400 member (if omitted), 600 guest. */
  @Parameter(json.integer(), { ...optional, checked: { enum: ROLES } })
  @IsOptional()
  @IsIn(ROLES, { message: 'Invalid invite_as: Value error, Not in the list of possible values' })
  invite_as?: Role;

  /** IDs of user groups to which the new account is added. */
  @Parameter(json.nullable(idList({ maxItems: MAX_GROUPS })), { ...optional, example: [6] })
  group_ids?: number[] | null;

  /** Whether the new account is subscribed to the default channels as well. */
  @Parameter(json.boolean(), optional)
  include_realm_default_subscriptions?: boolean;

  /** Welcome text instead of the organization's own; empty for none. */
  @Parameter(text({ maxLength: MAX_WELCOME_TEXT }), optional)
  welcome_message_custom_text?: string;
}

/** Parameters of `POST /invites`. */
export class InviteDto extends InvitationDto {
  /** Addresses of the people, separated by commas or line breaks; for `Name <address>` only the address is used. */
  @Parameter(text({ maxLength: MAX_INVITEES_LENGTH }))
  invitee_emails!: string;

  /** IDs of channels to which the new accounts are subscribed. */
  @Parameter(idList({ maxItems: MAX_CHANNELS }), { example: [11] })
  stream_ids!: number[];

  /** Whether to notify the caller when an invitee joins (default: true). */
  @Parameter(json.boolean(), optional)
  notify_referrer_on_join?: boolean;
}

/** Parameters of `POST /invites/multiuse`. */
export class MultiuseInviteDto extends InvitationDto {
  /** IDs of channels to which the new accounts are subscribed. */
  @Parameter(idList({ maxItems: MAX_CHANNELS }), { ...optional, example: [11] })
  stream_ids?: number[];
}

/** ID of an invitation in the path. */
export class InvitationIdDto {
  /** ID of the invitation. */
  @PathParameter()
  invite_id!: number;
}

/** The terms of the invitation in a request. */
export function toTerms(dto: InvitationDto & { stream_ids?: number[] }): InvitationTerms {
  const { invite_expires_in_minutes: minutes = DEFAULT_MINUTES } = dto;
  return {
    role: dto.invite_as ?? Role.member,
    lifetimeSeconds: minutes === null ? null : minutes * 60,
    channelIds: [...new Set(dto.stream_ids)],
    groupIds: [...new Set(dto.group_ids ?? [])],
    withDefaultChannels: dto.include_realm_default_subscriptions ?? false,
    welcomeText: dto.welcome_message_custom_text ?? null,
  };
}
