import { Injectable } from '@nestjs/common';
import { type InvitationTerms, InvitationTermsService } from './invitation-terms.service';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import {
  AccountDirectory,
  AccountRules,
  ActorTransactions,
  DisposableEmailRefused,
  EmailDomainNotAllowed,
  emailKey,
  EmailWithPlus,
} from '../../users/users.module';
import { InvitationAudienceService } from '../invitations/invitation-end.service';
import { InvitationLinks, InvitationMailService } from '../invitations/invitation-mail.service';
import {
  InvitationFailed,
  NobodyInvited,
  type RefusedAddress,
  TooManyInvited,
  TooManyOpenInvitations,
} from '../invitations/invitation-records.api';
import type { Invitation } from '../membership.entity';

/** The addresses of a request, by whether they can be invited. */
interface SortedAddresses {
  readonly invitable: readonly string[];
  /** Addresses that no account may have. */
  readonly invalid: readonly RefusedAddress[];
  /** Addresses of current or former accounts, and of system bots. */
  readonly taken: readonly RefusedAddress[];
}

/** Determines which addresses can be invited. */
@Injectable()
export class InvitedAddressesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
  ) {}

  /** @param texts as returned by {@link addressesIn} */
  sort(texts: readonly string[]): SortedAddresses {
    const invitable: string[] = [];
    const invalid: RefusedAddress[] = [];
    const taken: RefusedAddress[] = [];
    for (const email of texts) {
      const problem = this.problemOf(email);
      const account = problem === null ? this.accounts.byDeliveryEmail(email) : undefined;
      if (problem !== null) invalid.push([email, problem, false]);
      else if (this.isOfSystemBot(email)) taken.push([email, 'Reserved for system bots.', false]);
      else if (!account) invitable.push(email);
      else if (account.isActive) taken.push([email, 'Already has an account.', false]);
      else taken.push([email, 'Account has been deactivated.', true]);
    }
    return { invitable, invalid, taken };
  }

  private problemOf(email: string): string | null {
    if (!this.rules.isUsableEmail(email)) return 'Invalid address.';
    try {
      this.rules.requireAllowedDomain(email);
      return null;
    } catch (error) {
      if (error instanceof EmailWithPlus) return 'Email addresses containing + are not allowed.';
      if (error instanceof EmailDomainNotAllowed) return 'Outside your domain.';
      if (error instanceof DisposableEmailRefused) return 'Please use your real email address.';
      throw error;
    }
  }

  private isOfSystemBot(email: string): boolean {
    return this.accounts.systemBots().some((bot) => bot.emailKey === emailKey(email));
  }
}

/** A piece between commas and line breaks. */
const PIECE = /[^,\n]+/g;

/**
 * The first addresses in a text, in order and without duplicates: separated by commas or line breaks, with or without
 * names.
 */
function addressesIn(text: string, limit: number): string[] {
  const found = new Map<string, string>();
  for (const [piece] of text.matchAll(PIECE)) {
    if (found.size >= limit) break;
    const address = (/<([^<>]*)>/.exec(piece)?.[1] ?? piece).trim();
    if (address !== '' && !found.has(emailKey(address))) found.set(emailKey(address), address);
  }
  return [...found.values()];
}

/** Maximum number of addresses in one request. */
const MAX_ADDRESSES = 500;

/** Maximum number of people invited per day. */
const MAX_A_DAY = 3_000;

/** Maximum number of open invitations of each kind. */
const MAX_OPEN = { person: 10_000, link: 1_000 } as const;

const SECONDS_A_DAY = 86_400;

/** An invitation whose link the inviter passes on. */
export interface LinkOnlyInvitation {
  readonly email: string;
  readonly link_url: string;
}

/** Invites people, by address or with a link for several of them. */
@Injectable()
export class InviteService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly terms: InvitationTermsService,
    private readonly addresses: InvitedAddressesService,
    private readonly audiences: InvitationAudienceService,
    private readonly links: InvitationLinks,
    private readonly mails: InvitationMailService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Whether inviters have to pass on the links themselves. */
  get isByHand(): boolean {
    return !this.mails.isAvailable;
  }

  /**
   * Invites all valid addresses; none if an address is malformed.
   * @param text with addresses
   * @returns the links, which must not be shown if the server mails them
   * @throws InvitationFailed, even if only some failed; NobodyInvited, TooManyInvited, TooManyOpenInvitations, and the
   * errors of InvitationTermsService
   */
  async invite(
    actor: Actor,
    text: string,
    terms: InvitationTerms,
    notifiesInviter: boolean,
  ): Promise<readonly LinkOnlyInvitation[]> {
    const { taken, invitations } = await this.transactions.runExclusive(actor, async (tx, current) => {
      let named: readonly string[] = [];
      this.terms.check(current, 'person', terms, () => {
        named = addressesIn(text, MAX_ADDRESSES + 1);
        checkNumber(named);
      });
      const sorted = this.addresses.sort(named);
      await this.checkRoom(tx, sorted);
      const rows: Invitation[] = [];
      for (const email of sorted.invitable) {
        const recipient = { isMultiuse: false, email, emailKey: emailKey(email), notifiesInviter };
        rows.push(await this.add(tx, current, terms, recipient));
      }
      this.audiences.tell(tx, actor.userId);
      return { taken: sorted.taken, invitations: rows };
    });
    if (taken.length > 0) throw new InvitationFailed(SOME_TAKEN, taken, { isSomebodyInvited: true });
    return invitations.map((each) => ({ email: each.email, link_url: this.links.urlOf(each) }));
  }

  /** @returns the link @throws TooManyOpenInvitations, and the errors of InvitationTermsService */
  async makeLink(actor: Actor, terms: InvitationTerms): Promise<string> {
    return this.transactions.runExclusive(actor, async (tx, current) => {
      this.terms.check(current, 'link', terms);
      await this.checkOpen(tx, 'link', 1);
      const recipient = { isMultiuse: true, email: '', emailKey: '', notifiesInviter: false };
      const invitation = await this.add(tx, current, terms, recipient);
      this.audiences.tell(tx, actor.userId);
      return this.links.urlOf(invitation);
    });
  }

  private async add(
    tx: Transaction,
    actor: Actor,
    terms: InvitationTerms,
    recipient: Pick<Invitation, 'isMultiuse' | 'email' | 'emailKey' | 'notifiesInviter'>,
  ): Promise<Invitation> {
    const invitation = await this.terms.write(tx, actor, terms, recipient);
    await this.mails.schedule(tx, invitation);
    const { id, isMultiuse, role, expiresAt } = invitation;
    const { channelIds, groupIds } = terms;
    const details = {
      role,
      channels: channelIds,
      groups: groupIds,
      expires_at: expiresAt,
      is_link: isMultiuse,
    };
    this.audit.record(tx, actor, 'invitation.created', { id }, details);
    return invitation;
  }

  private async checkRoom(tx: Transaction, { invitable, invalid, taken }: SortedAddresses): Promise<void> {
    const since = this.clock.nowSeconds() - SECONDS_A_DAY;
    const ofToday = await countOf(tx, 'created_at > ? AND NOT is_multiuse', since);
    if (ofToday + invitable.length > MAX_A_DAY) {
      throw new InvitationFailed(DAILY_LIMIT, [], { isDailyLimitReached: true });
    }
    if (invalid.length > 0) throw new InvitationFailed(SOME_INVALID, [...invalid, ...taken]);
    if (invitable.length === 0) throw new InvitationFailed(NONE_INVITED, taken);
    await this.checkOpen(tx, 'person', invitable.length);
  }

  private async checkOpen(tx: Transaction, kind: keyof typeof MAX_OPEN, added: number): Promise<void> {
    const own = kind === 'link' ? 'is_multiuse' : 'NOT is_multiuse';
    const open = `state = 'open' AND (expires_at IS NULL OR expires_at > ?) AND ${own}`;
    const limit = MAX_OPEN[kind];
    if ((await countOf(tx, open, this.clock.nowSeconds())) + added > limit) {
      throw new TooManyOpenInvitations(limit);
    }
  }
}

const SOME_TAKEN =
  "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!";
const SOME_INVALID = "Some emails did not validate, so we didn't send any invitations.";
const NONE_INVITED = "We weren't able to invite anyone.";
const DAILY_LIMIT =
  'To protect users, Zulip limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.';

function checkNumber(addresses: readonly string[]): void {
  if (addresses.length === 0) throw new NobodyInvited();
  if (addresses.length > MAX_ADDRESSES) throw new TooManyInvited(MAX_ADDRESSES);
}

async function countOf(tx: Transaction, condition: string, moment: number): Promise<number> {
  const sql = `SELECT COUNT(*) AS count FROM invitation WHERE ${condition}`;
  const { count } = await tx.queryOne<{ count: number }>(sql, [moment]);
  return Number(count);
}
