import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { type AccountRecord, actorOf, NoSuchUser, UserAccess } from '../../users/users.module';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type ActionObject,
  type ExplainableActions,
  explainableActionsSought,
  type Explanation,
} from '../user-groups.hooks';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  type OrganizationGroupSetting,
} from '../../organization-settings/organization-settings.module';
import { PermissionService } from '../permissions/permission.service';
import { GROUP_OPERATIONS, type GroupOperation, UserGroupAccess } from '../permissions/user-group.access';
import { InvalidAction } from '../groups/group-records.api';

const MENTION = 'mention';

/** The object of an action: its kind and its ID. */
export interface ExplainedObject {
  readonly kind: ActionObject;
  readonly id: number;
}

/** Explains who may do what, and why. */
@Injectable()
export class ExplainPermissionService {
  constructor(
    private readonly users: UserAccess,
    private readonly permissions: PermissionService,
    private readonly groups: UserGroupAccess,
    private readonly hooks: Hooks,
  ) {
    hooks.on(explainableActionsSought, () => this.inOrganization());
    hooks.on(explainableActionsSought, () => this.onGroups());
  }

  /**
   * For administrators, and for the person in question. Objects that the caller does not see count as missing.
   * @param user ID or address
   * @throws MustBeAdministrator, NoSuchUser, InvalidAction, and errors of loading the object
   */
  async explain(
    asker: Actor,
    user: number | string,
    action: string,
    { kind, id }: ExplainedObject,
  ): Promise<Explanation> {
    const account = await this.accountAskedAbout(asker, user);
    const source = this.find(kind, action);
    return this.ask(source, asker, account, action, id);
  }

  /**
   * Explains all actions on one object, by name.
   * @throws MustBeAdministrator, NoSuchUser, and errors of loading the object
   */
  async explainAll(
    asker: Actor,
    user: number | string,
    { kind, id }: ExplainedObject,
  ): Promise<[action: string, explanation: Explanation][]> {
    const account = await this.accountAskedAbout(asker, user);
    const explained: [string, Explanation][] = [];
    for (const source of this.sourcesOf(kind)) {
      for (const action of source.names) {
        explained.push([action, await this.ask(source, asker, account, action, id)]);
      }
    }
    return explained.sort(([one], [other]) => (one < other ? -1 : 1));
  }

  private async ask(
    source: ExplainableActions,
    asker: Actor,
    account: AccountRecord,
    action: string,
    objectId: number,
  ): Promise<Explanation> {
    const person = actorOf(account, asker);
    const explanation = await source.explain({ asker, person, action, objectId });
    return account.isActive ? explanation : { allowed: false, chain: ['deactivated account'] };
  }

  /** Others than administrators get the same refusal whether or not the account exists. */
  private async accountAskedAbout(asker: Actor, user: number | string): Promise<AccountRecord> {
    const named = typeof user === 'number' ? user : this.users.byVisibleEmail(asker, user)?.id;
    if (named !== asker.userId && !isAdministrator(asker)) throw new MustBeAdministrator();
    if (named === undefined) throw new NoSuchUser();
    return this.users.forReading(asker, named);
  }

  private find(object: ActionObject, action: string): ExplainableActions {
    const sources = this.sourcesOf(object);
    const found = sources.find(({ names }) => [...names].includes(action));
    if (!found) throw new InvalidAction(sources.flatMap(({ names }) => [...names]).sort());
    return found;
  }

  private sourcesOf(object: ActionObject): ExplainableActions[] {
    return this.hooks.ask(explainableActionsSought).filter((source) => source.object === object);
  }

  /** Permissions of the organization are actions under their own names. */
  private inOrganization(): ExplainableActions {
    return {
      object: 'organization',
      names: ORGANIZATION_GROUP_SETTING_NAMES,
      explain: ({ person, action }) =>
        this.permissions.explainInOrganization(person, action as OrganizationGroupSetting),
    };
  }

  private onGroups(): ExplainableActions {
    return {
      object: 'group',
      names: [...Object.keys(GROUP_OPERATIONS), MENTION],
      explain: ({ person, action, objectId }) =>
        action === MENTION
          ? this.groups.explainMention(person, objectId)
          : this.groups.explain(person, objectId, action as GroupOperation),
    };
  }
}
