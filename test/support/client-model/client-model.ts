import { ChannelModel } from './channel-model';
import { GroupModel } from './group-model';
import { NotUnderstood, type Json, type Reducer } from './json';
import { MessageModel } from './message-model';
import { NavigationModel } from './navigation-model';
import { OrganizationModel } from './organization-model';
import { PersonalModel } from './personal-model';
import { UserModel } from './user-model';

/**
 * A client's knowledge: the state of its registration, updated by events. It applies events like a client, with one
 * handler per type, and is strict: an event that contradicts earlier ones is an error.
 */
export class ClientModel {
  private readonly users: UserModel;
  private readonly groups: GroupModel;
  private readonly channels: ChannelModel;
  private readonly messages: MessageModel;
  private readonly navigation: NavigationModel;
  private readonly organization: OrganizationModel;
  private readonly personal: PersonalModel;
  private readonly reducers: ReadonlyMap<string, Reducer>;

  constructor(
    state: Json,
    private readonly capabilities: ReadonlySet<string>,
  ) {
    this.users = new UserModel(state, capabilities.has('user_list_incomplete'));
    const ownId = () => this.users.ownId;
    this.groups = new GroupModel(state);
    this.channels = new ChannelModel(state, ownId, capabilities.has('notification_settings_null'));
    this.messages = new MessageModel(state, ownId, this.channels);
    this.navigation = new NavigationModel(state);
    this.organization = new OrganizationModel(state);
    this.personal = new PersonalModel(state);
    const parts = [
      this.users,
      this.groups,
      this.channels,
      this.messages,
      this.navigation,
      this.organization,
      this.personal,
    ];
    this.reducers = new Map(parts.flatMap(({ reducers }) => Object.entries(reducers)));
  }

  /** @throws NotUnderstood */
  apply(event: Json): void {
    const kind =
      event.op === undefined || TRANSIENT.includes(event.type) ? event.type : `${event.type}/${event.op}`;
    const reduce = this.reducers.get(kind);
    if (!reduce)
      throw new NotUnderstood(`Nothing is known of events ${kind}: teach test/support/client-model.`);
    reduce(event);
    if (kind === 'user_settings/update') this.personal.noteSetting(event);
    if (kind === 'realm_user/update' && event.person.is_active === false) {
      this.groups.forget(event.person.user_id);
      this.organization.forget(event.person.user_id);
    }
    if (kind === 'stream/delete') {
      for (const channelId of event.stream_ids) this.messages.forgetChannel(channelId);
    }
  }

  /** Differences between this client's state and that of a newly registered one; empty if there are none. */
  differencesFrom(fresh: ClientModel): string[] {
    return differences(this.content(this), fresh.content(this));
  }

  /** @param ignoring omits what this client cannot know */
  private content(ignoring: ClientModel): Json {
    const holds = (value: Json) => this.groups.holds(this.users.ownId, value);
    const organization = this.organization.content(this.users.ownKind, holds);
    // Clients that do not receive deactivated groups do not know their members either.
    const knowsGroups = this.capabilities.has('include_deactivated_groups');
    const permissions = this === ignoring ? organization.permissions : this.organization.toldPermissions;
    return {
      ...this.users.content,
      ...this.groups.content,
      ...this.channels.content(ignoring.channels),
      ...this.messages.content(ignoring.messages),
      ...this.navigation.content,
      ...organization,
      ...this.personal.content,
      permissions: knowsGroups ? permissions : undefined,
    };
  }
}

/** Their `op` reports something that no client stores. */
const TRANSIENT = ['typing', 'typing_edit_message', 'submessage', 'attachment', 'presence'];

/** Paths at which two states differ, with both values. */
function differences(known: Json, fresh: Json, path = ''): string[] {
  const a = asEntries(known);
  const b = asEntries(fresh);
  if (!a || !b) {
    if (JSON.stringify(known) === JSON.stringify(fresh)) return [];
    return [`${path}: events say ${JSON.stringify(known)}, the state says ${JSON.stringify(fresh)}`];
  }
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].flatMap((key) =>
    differences(a.get(key), b.get(key), path === '' ? key : `${path}.${key}`),
  );
}

function asEntries(value: Json): Map<string, Json> | null {
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [String(key), each]));
  if (value instanceof Set) return new Map([...value].map((each) => [String(each), true]));
  if (typeof value !== 'object' || value === null) return null;
  return new Map(Object.entries(value as object));
}
