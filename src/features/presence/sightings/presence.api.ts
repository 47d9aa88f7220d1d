import { refusal } from '../../../platform/errors/api-error';
import { OFFLINE_AFTER_SECONDS, type PresenceRecord } from './presence.directory';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { BadRequest } from '../../../platform/errors/shared.errors';

/** Which presence a client requests, and in which form. */
export interface PresenceQuestion {
  /** Whether to use the current form, by user ID, instead of the legacy one, by address. */
  readonly isSlim: boolean;
  /** Returns only changes after this update ID; if it is not above 0, everything of the last days. */
  readonly after?: number;
  /** Number of these days. */
  readonly historyDays?: number;
}

/** In the legacy form, a person counts as active for this long. */
const ACTIVE_FOR_SECONDS = 70;

/** Presence in the current form. UNIX seconds. */
export interface PresenceWire {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

/** Presence in the legacy form, which has an entry per client program. */
interface ClientPresenceWire {
  readonly client: 'website';
  readonly status: 'active' | 'idle';
  readonly timestamp: number;
}

/** Presence as older clients read it, by client program; there is one, `website`. */
export interface LegacyPresenceWire {
  readonly aggregated: ClientPresenceWire;
  readonly website: ClientPresenceWire & { readonly pushable: false };
}

/** Presence of a single user. */
interface StatusWire {
  readonly status: 'active' | 'idle' | 'offline';
  readonly timestamp: number;
}

/** @param dateJoined replaces the last activity of a person who was never active */
export function presenceWire({ activeAt, connectedAt }: PresenceRecord, dateJoined: number): PresenceWire {
  return { active_timestamp: activeAt ?? dateJoined, idle_timestamp: connectedAt };
}

/** The legacy form of a presence, with one client in it. */
export function legacyPresenceWire(record: PresenceRecord): LegacyPresenceWire {
  const aggregated: ClientPresenceWire = { client: 'website', ...legacyStatus(record) };
  return { aggregated, website: { ...aggregated, pushable: false } };
}

/** The presence of one person, in both the current and the legacy form. */
export interface PersonPresenceWire extends PresenceWire {
  readonly aggregated: StatusWire;
  readonly website: StatusWire;
}

/** @param now UNIX seconds. @param dateJoined like in {@link presenceWire} */
export function personPresenceWire(
  record: PresenceRecord,
  dateJoined: number,
  now: number,
): PersonPresenceWire {
  const website = legacyStatus(record);
  const isOffline = now - website.timestamp > OFFLINE_AFTER_SECONDS;
  const aggregated: StatusWire = isOffline ? { ...website, status: 'offline' } : website;
  return { ...presenceWire(record, dateJoined), aggregated, website };
}

function legacyStatus({
  activeAt,
  connectedAt,
}: PresenceRecord): Pick<ClientPresenceWire, 'status' | 'timestamp'> {
  return activeAt !== null && activeAt + ACTIVE_FOR_SECONDS >= connectedAt
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt };
}

const flag = json.boolean();

/** Parameters of `POST /users/me/presence`. */
export class ReportPresenceDto {
  /** `active`, or `idle` if the client is open but not used. */
  @Parameter(text(), { checked: { enum: ['active', 'idle'] } }) status!: string;
  /** Whether to omit the presence of others from the response. */
  @Parameter(flag, { default: false }) ping_only!: boolean;
  /** Whether the person has just used the client. */
  @Parameter(flag, { default: false }) new_user_input!: boolean;
  /** Whether the response uses IDs instead of addresses. */
  @Parameter(flag, { default: false }) slim_presence!: boolean;
  /** `presence_last_update_id` of the previous response, to receive only later changes; -1 at first. */
  @Parameter(json.integer(), { optional: true, checked: { minimum: -1 } }) last_update_id?: number;
  /** People who were not online for this many days are omitted. */
  @Parameter(json.integer({ min: 0 }), { optional: true }) history_limit_days?: number;
}

/** Parameters of `GET /users/{user_id_or_email}/presence`. */
export class PersonPresenceDto {
  /** ID or address of the account. */
  @PathParameter(text()) user_id_or_email!: string;
}

/** The client's options for the response. */
export function toPresenceQuestion(dto: ReportPresenceDto): PresenceQuestion {
  return {
    isSlim: dto.slim_presence || dto.last_update_id !== undefined,
    after: dto.last_update_id,
    historyDays: dto.history_limit_days,
  };
}

/** One person, in the legacy form. */
interface LegacyPayload {
  readonly user_id: number;
  readonly email?: string;
  /**
   * UNIX seconds with a fraction.
   * @fraction
   */
  readonly server_timestamp: number;
  readonly presence: Pick<LegacyPresenceWire, 'website'>;
}

/** One person, by ID. */
interface Payload {
  readonly presences: Readonly<Record<number, PresenceWire>>;
}

/** A person came online, or appears to have gone offline. */
export const presenceChanged = defineEvent<LegacyPayload | Payload>('presence');

/** A client reports a status other than active or idle. */
export class InvalidPresenceStatus extends BadRequest {
  constructor(status: string) {
    super(`Invalid status: ${status}`);
  }
}

/** Bots have no presence. */
export class NoPresenceOfBots extends refusal('Presence is not supported for bot users.') {}

/** The person was never online, or hides their presence. */
export class NoPresenceData extends BadRequest {
  /** @param asked the person as named by the caller */
  constructor(asked: string) {
    super(`No presence data for ${asked}`);
  }
}
