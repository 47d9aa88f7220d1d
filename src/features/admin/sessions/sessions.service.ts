import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import {
  pageAnswer,
  type PageAnswer,
  pageOf,
  type PageQuery,
  pageWindow,
} from '../../../platform/http/companion/paging';
import { AuditLog } from '../../audit/audit.module';
import { LoginSessionService, RememberedDevices } from '../../users/users.module';
import { PersonAccess } from '../people/person.access';
import {
  NoSuchBrowser,
  NoSuchSession,
  type RememberedBrowserRecord,
  type SessionRecord,
} from './sessions.api';

/**
 * Lists and ends sessions and remembered browsers: the caller's own, and sessions of people whom the caller manages.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: PersonAccess,
    private readonly sessions: LoginSessionService,
    private readonly devices: RememberedDevices,
    private readonly audit: AuditLog,
  ) {}

  /**
   * The caller's own sessions, oldest first.
   * @param tokenId session of the request's token
   * @throws UnprocessableEntity
   */
  own(actor: Actor, tokenId: string, query: PageQuery): Promise<PageAnswer<SessionRecord>> {
    return this.list(actor.userId, tokenId, query);
  }

  /**
   * The sessions of a person whom the caller manages.
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, UnprocessableEntity
   */
  async ofPerson(
    caller: Actor,
    tokenId: string,
    userId: number,
    query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    this.access.forChange(this.access.administrator(caller), userId);
    return this.list(userId, tokenId, query);
  }

  /** Signs the caller out everywhere else. @returns how many sessions ended */
  endOthers(actor: Actor, tokenId: string): Promise<number> {
    return this.transactions.run(async (tx) =>
      this.recorded(tx, actor, actor.userId, await this.sessions.endAll(tx, actor.userId, tokenId)),
    );
  }

  /** @throws NoSuchSession */
  async endOwn(actor: Actor, id: number): Promise<void> {
    await this.transactions.run((tx) => this.endOne(tx, actor, actor.userId, id));
  }

  /**
   * Signs a person out everywhere.
   * @returns how many sessions ended
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner
   */
  endAllOfPerson(caller: Actor, userId: number): Promise<number> {
    return this.administer(caller, userId, async (tx) =>
      this.recorded(tx, caller, userId, await this.sessions.endAll(tx, userId)),
    );
  }

  /** @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, NoSuchSession */
  endOneOfPerson(caller: Actor, userId: number, id: number): Promise<void> {
    return this.administer(caller, userId, (tx) => this.endOne(tx, caller, userId, id));
  }

  /**
   * The caller's remembered browsers, oldest first.
   * @param token of the requesting browser, to mark it
   * @throws UnprocessableEntity
   */
  async browsers(
    { userId }: Actor,
    token: string,
    query: PageQuery,
  ): Promise<PageAnswer<RememberedBrowserRecord>> {
    const window = pageWindow(query);
    return pageOf(await this.devices.of(userId), window, (device) => ({
      id: device.id,
      created_at: device.createdAt,
      expires_at: device.expiresAt,
      last_used_at: device.lastUsedAt,
      address: device.address,
      user_agent: device.userAgent,
      is_current: this.devices.isThat(device, token),
    }));
  }

  /** Forgets all of the caller's browsers. @returns how many were remembered */
  forgetBrowsers(actor: Actor): Promise<number> {
    return this.transactions.run((tx) => this.forget(tx, actor));
  }

  /** Forgets one of the caller's browsers. @throws NoSuchBrowser */
  async forgetBrowser(actor: Actor, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      if ((await this.forget(tx, actor, id)) === 0) throw new NoSuchBrowser();
    });
  }

  private async forget(tx: Transaction, actor: Actor, id?: number): Promise<number> {
    const { userId } = actor;
    const forgotten = await this.devices.forget(tx, userId, id);
    if (forgotten > 0) this.audit.record(tx, actor, 'user.browsers_forgotten', { userId }, { forgotten });
    return forgotten;
  }

  private administer<T>(caller: Actor, userId: number, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transactions.runExclusive((tx) => {
      this.access.forChange(this.access.administrator(caller), userId);
      return work(tx);
    });
  }

  private async endOne(tx: Transaction, actor: Actor, userId: number, id: number): Promise<void> {
    if (!(await this.sessions.endOne(tx, userId, id))) throw new NoSuchSession();
    this.recorded(tx, actor, userId, 1);
  }

  private recorded(tx: Transaction, actor: Actor, userId: number, ended: number): number {
    if (ended > 0) this.audit.record(tx, actor, 'user.sessions_ended', { userId }, { ended });
    return ended;
  }

  private async list(
    userId: number,
    currentTokenId: string,
    query: PageQuery,
  ): Promise<PageAnswer<SessionRecord>> {
    const window = pageWindow(query);
    const { afterId, offset, size } = window;
    const { sessions, total } = await this.sessions.page(userId, { afterId, offset, limit: size + 1 });
    return pageAnswer(sessions, total, window, (session) => ({
      id: session.id,
      kind: session.kind,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      last_used_at: session.lastUsedAt ?? session.createdAt,
      address: session.address,
      user_agent: session.userAgent,
      is_current: session.tokenId === currentTokenId,
    }));
  }
}
