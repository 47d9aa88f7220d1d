import { Injectable, Logger } from '@nestjs/common';
import { InvitationOver, InvitationUnknown, type JoinResult, type ShownInvitation } from './join-pages';
import { type Actor, type Caller, Role, THE_SERVER } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { OrganizationClosed } from '../../../platform/errors/shared.errors';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import { type FormSender, LinkSignIn } from '../../auth/auth.module';
import {
  ChannelDirectory,
  type ChannelRecord,
  DefaultChannelGroupsStateService,
  SubscribeAccess,
} from '../../channels/channels.module';
import { silentMention, SystemMessageService } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { NewcomerGroupsService } from '../../user-groups/user-groups.module';
import {
  type Account,
  AccountDirectory,
  AccountRules,
  actorOf,
  emailKey,
  type StartedSession,
  NewPasswords,
} from '../../users/users.module';
import { InvitationAudienceService, InvitationEndService } from '../invitations/invitation-end.service';
import { InvitationLinks } from '../invitations/invitation-mail.service';
import { InvitationAccess } from '../invitations/invitation.access';
import type { Invitation } from '../membership.entity';
import { ArrivalService, NewAccountService } from '../people/new-account.service';

/** Notifies inviters that an invitee has joined. */
@Injectable()
export class JoinNoticeService {
  private readonly logger = new Logger(JoinNoticeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
  ) {}

  /** Called after the account was committed. The person has joined even if this fails, so a failure is only logged. */
  async send(inviterId: number, newcomerId: number): Promise<void> {
    try {
      const newcomer = this.accounts.existing(newcomerId);
      const content = `${silentMention(newcomer)} accepted your invitation.`;
      await this.transactions.run(async (tx) => {
        if (!this.accounts.existing(inviterId).isActive) return;
        await this.messages.sendToPerson(tx, 'notification-bot', inviterId, { content });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }
}

/** The details that an invited person fills in. */
interface JoiningPerson {
  readonly fullName: string;
  /** Used if the invitation contains no address. */
  readonly email: string;
  readonly password: string;
  /** Default channel groups that the person chose; those that are not offered are ignored. */
  readonly channelGroupIds: ReadonlySet<number>;
}

/** An account that was just created. */
interface JoinedPerson extends JoinResult {
  /** Null if the user has to sign in. */
  readonly session: StartedSession | null;
}

/** Creates accounts for invited people. */
@Injectable()
export class JoinService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly links: InvitationLinks,
    private readonly access: InvitationAccess,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly passwords: NewPasswords,
    private readonly newAccounts: NewAccountService,
    private readonly channels: ChannelDirectory,
    private readonly subscribing: SubscribeAccess,
    private readonly groups: NewcomerGroupsService,
    private readonly channelGroups: DefaultChannelGroupsStateService,
    private readonly ending: InvitationEndService,
    private readonly audiences: InvitationAudienceService,
    private readonly arrival: ArrivalService,
    private readonly notice: JoinNoticeService,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
    private readonly audit: AuditLog,
    private readonly linkSignIn: LinkSignIn,
  ) {}

  /** @throws InvitationUnknown, InvitationOver */
  async invitationFor(key: string): Promise<ShownInvitation> {
    const invitation = await this.open(this.database.read, key);
    return {
      organizationName: this.organization.settings.name,
      inviterName: this.accounts.existing(invitation.inviterId).fullName,
      email: invitation.isMultiuse ? null : invitation.email,
      channelGroups: await this.offeredGroups(this.database.read, invitation),
    };
  }

  /**
   * Creates the account, and starts a session in the browser that sent the form if the server has pages for it. Of
   * concurrent uses of a personal invitation, the first succeeds.
   * @throws InvitationUnknown, InvitationOver, OrganizationClosed, WeakPassword, and the errors of AccountRules
   */
  async join(key: string, person: JoiningPerson, sender: FormSender): Promise<JoinedPerson> {
    const opened = await this.open(this.database.read, key);
    this.check(opened, person);
    const deliveryEmail = opened.isMultiuse ? person.email : opened.email;
    const passwordHash = await this.passwords.hash(person.password, { ...person, deliveryEmail });
    const { row, invitation, session } = await this.transactions.runExclusive(async (tx) => {
      if (this.organization.isDeactivated) throw new OrganizationClosed();
      const current = await this.open(tx, key);
      const newcomer = await this.admit(tx, current, person, passwordHash, sender.caller);
      const begun = await this.linkSignIn.begin(tx, newcomer, sender);
      return { row: newcomer, invitation: current, session: begun };
    });
    const { welcomeText } = invitation;
    await this.arrival.tell(row.id, welcomeText ?? undefined);
    if (invitation.notifiesInviter) await this.notice.send(invitation.inviterId, row.id);
    const { name } = this.organization.settings;
    return { organizationName: name, email: row.deliveryEmail, site: this.config.externalUrl, session };
  }

  private async admit(
    tx: Transaction,
    invitation: Invitation,
    person: JoiningPerson,
    passwordHash: string,
    caller: Caller,
  ): Promise<Account> {
    const { email, fullName } = this.check(invitation, person);
    const { id, inviterId, role, groupIds, isMultiuse } = invitation;
    const inviter = actorOf(this.accounts.existing(inviterId), THE_SERVER);
    const row = await this.newAccounts.add(
      tx,
      { deliveryEmail: email, fullName, role: role as Role, passwordHash },
      await this.channelsOf(tx, invitation, inviter, person.channelGroupIds),
    );
    await this.groups.add(tx, inviter, row.id, JSON.parse(groupIds) as number[]);
    if (!isMultiuse) await this.ending.end(tx, [invitation], 'used', row.id);
    await this.ending.endOthers(tx, emailKey(email));
    this.audit.record(tx, caller, 'user.created', { userId: row.id }, { role, invitation: id });
    this.audiences.tell(tx, inviterId);
    return row;
  }

  /** @returns the name and the address to store */
  private check({ isMultiuse, email }: Invitation, person: JoiningPerson) {
    const address = isMultiuse ? person.email : email;
    this.rules.requireUsableEmail(address);
    this.rules.requireAllowedDomain(address);
    this.rules.requireFreeEmail(address);
    const fullName = this.rules.checkedFullName(person.fullName);
    this.rules.requireUniqueName(fullName);
    return { email: address, fullName };
  }

  /**
   * The channels of the invitation to which the inviter could still add people, the default ones if included, and those
   * of the groups that the person chose.
   */
  private async channelsOf(
    tx: Transaction,
    invitation: Invitation,
    inviter: Actor,
    groupIds: ReadonlySet<number>,
  ): Promise<ChannelRecord[]> {
    const given = this.inUse(JSON.parse(invitation.channelIds) as number[]);
    const groups = (await this.offeredGroups(tx, invitation)).filter(({ id }) => groupIds.has(id));
    const channels = [
      ...given.filter((channel) => this.mayAddTo(channel, inviter)),
      ...(invitation.withDefaultChannels ? this.newAccounts.defaultChannels() : []),
      ...this.inUse(groups.flatMap((group) => group.streams)),
    ];
    return [...new Set(channels)];
  }

  private inUse(channelIds: readonly number[]): ChannelRecord[] {
    return channelIds
      .map((channelId) => this.channels.byId(channelId))
      .filter((channel) => channel !== undefined && !channel.isArchived) as ChannelRecord[];
  }

  /** Guests see no such groups. */
  private async offeredGroups(db: Queryable, { role }: Invitation) {
    return role === Role.guest ? [] : this.channelGroups.list(db);
  }

  private mayAddTo(channel: ChannelRecord, inviter: Actor): boolean {
    if (!this.subscribing.mayEnter(inviter, channel)) return false;
    return channel.isDefault || this.subscribing.additionGround(inviter, channel) !== null;
  }

  private async open(db: Queryable, key: string): Promise<Invitation> {
    const invitation = await this.links.find(db, key);
    if (!invitation) throw new InvitationUnknown();
    if (!this.access.isOpen(invitation)) throw new InvitationOver();
    return invitation;
  }
}
