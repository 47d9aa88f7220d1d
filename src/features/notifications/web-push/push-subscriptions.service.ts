import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In } from 'typeorm';
import { arePushKeys } from './push-payload';
import { PushSender, Vapid } from './push-sender.service';
import { PushSubscription } from './push-subscription.entity';
import {
  InvalidPushEndpoint,
  InvalidPushKeys,
  NeedsBrowserSession,
  NoSuchPushSubscription,
  PushHeldBack,
  pushSubscriptionWire,
  type PushSubscriptionWire,
  type PushTestWire,
  type WebPushWire,
} from './web-push.api';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { RateLimitHit } from '../../../platform/errors/request.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { AddressRules } from '../../../platform/outbound/address-rules';
import { RequestLimit } from '../../../platform/secrets/login-throttle';
import { LoginSessionService, personalDataRemoved } from '../../users/users.module';

/** Maximum number of browsers per user; new ones replace the oldest. */
const MAX_SUBSCRIPTIONS = 20;

/** A subscription as sent by a browser. */
interface NewPushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** UNIX seconds; undefined keeps the previous value. */
  readonly quietUntil?: number;
}

/** The browsers in which users are notified. A subscription ends with its session, however that ends. */
@Injectable()
export class PushSubscriptions {
  /** Networks that may be used without TLS, for push services run by the operator. */
  private readonly ownNetworks: AddressRules;

  constructor(
    @InjectRepository(PushSubscription) private readonly rows: ReadRepository<PushSubscription>,
    private readonly transactions: TransactionService,
    private readonly sessions: LoginSessionService,
    private readonly vapid: Vapid,
    private readonly clock: Clock,
    config: Config,
    hooks: Hooks,
  ) {
    this.ownNetworks = new AddressRules(config.webhookPrivateNetworks);
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(PushSubscription).delete({ userId });
      tx.touch('web_push_subscriptions', [userId]);
    });
  }

  /** Oldest first; excludes those whose session has ended. */
  async of({ userId }: Pick<Actor, 'userId'>, sessionId: string | null): Promise<PushSubscriptionWire[]> {
    const all = await this.live(await this.rows.find({ where: { userId }, order: { id: 'ASC' } }));
    const now = this.clock.nowSeconds();
    return all.map((row) => pushSubscriptionWire(row, sessionId, now));
  }

  /**
   * Adds the browser of a session, or renews it. A browser has one user: a subscription of a previous user ends.
   * @returns the ID
   * @throws NeedsBrowserSession, InvalidPushEndpoint, InvalidPushKeys
   */
  async add(actor: Actor, sessionId: string | null, wanted: NewPushSubscription): Promise<number> {
    if (sessionId === null) throw new NeedsBrowserSession();
    const endpoint = this.checkedEndpoint(wanted.endpoint);
    const keys = { p256dh: decoded(wanted.p256dh), auth: decoded(wanted.auth) };
    if (!arePushKeys(keys)) throw new InvalidPushKeys();
    const endpointHash = createHash('sha256').update(endpoint).digest('base64url');
    const { userId } = actor;
    return this.transactions.runExclusive(async (tx) => {
      const before = await tx.repository(PushSubscription).findOneBy({ endpointHash });
      const isOwn = before?.userId === userId;
      if (before && !isOwn) await this.delete(tx, [before]);
      const { id } = await tx.repository(PushSubscription).save({
        // Keeps the ID, so that queued deliveries still reach the browser.
        ...(isOwn && { id: before.id }),
        userId,
        sessionTokenId: sessionId,
        endpoint,
        endpointHash,
        p256dh: keys.p256dh.toString('base64url'),
        auth: keys.auth.toString('base64url'),
        vapidKey: this.vapid.publicKey,
        ...(wanted.quietUntil !== undefined && { quietUntil: wanted.quietUntil }),
        createdAt: this.clock.nowSeconds(),
      });
      const own = await tx.repository(PushSubscription).find({ where: { userId }, order: { id: 'DESC' } });
      await this.delete(tx, own.slice(MAX_SUBSCRIPTIONS));
      tx.touch('web_push_subscriptions', [userId]);
      return id;
    });
  }

  /** @throws NoSuchPushSubscription, also for other people's */
  async remove({ userId }: Actor, id: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const row = await tx.repository(PushSubscription).findOneBy({ id, userId });
      if (!row) throw new NoSuchPushSubscription();
      await this.delete(tx, [row]);
    });
  }

  /**
   * Mutes a browser for a while.
   * @param until UNIX seconds
   * @throws NoSuchPushSubscription, also for other people's
   */
  async quiet({ userId }: Actor, id: number, until: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { affected } = await tx
        .repository(PushSubscription)
        .update({ id, userId }, { quietUntil: until });
      if (affected === 0) throw new NoSuchPushSubscription();
    });
  }

  /** @throws NoSuchPushSubscription, also for other people's */
  async own({ userId }: Actor, id: number): Promise<PushSubscription> {
    const row = await this.rows.findOneBy({ id, userId });
    if (!row) throw new NoSuchPushSubscription();
    return row;
  }

  /** A subscription that is still valid; deletes one whose session has ended. Null if there is none. */
  async find(id: number): Promise<PushSubscription | null> {
    const row = await this.rows.findOneBy({ id });
    if (!row) return null;
    const [live] = await this.live([row]);
    if (!live) await this.forget(row);
    return live ?? null;
  }

  /** The subscriptions of users, including those whose session has ended. */
  idsOf(userIds: readonly number[]): Promise<Pick<PushSubscription, 'id' | 'userId'>[]> {
    return this.rows.find({ select: { id: true, userId: true }, where: { userId: In([...userIds]) } });
  }

  /** Deletes a subscription that its push service or session has ended. */
  async forget(row: PushSubscription): Promise<void> {
    await this.transactions.runExclusive((tx) => this.delete(tx, [row]));
  }

  private async delete(tx: Transaction, rows: readonly PushSubscription[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.repository(PushSubscription).delete({ id: In(rows.map(({ id }) => id)) });
    tx.touch(
      'web_push_subscriptions',
      rows.map(({ userId }) => userId),
    );
  }

  private async live(rows: readonly PushSubscription[]): Promise<PushSubscription[]> {
    const live = await this.sessions.liveAmong(rows.map(({ sessionTokenId }) => sessionTokenId));
    return rows.filter(({ sessionTokenId }) => live.has(sessionTokenId));
  }

  private checkedEndpoint(given: string): string {
    const url = URL.canParse(given) ? new URL(given) : null;
    if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
    const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
    const isOwn = url?.protocol === 'http:' && isIP(host) !== 0 && this.ownNetworks.names(host);
    if (!isOwn) throw new InvalidPushEndpoint();
    return url.href;
  }
}

/** Accepts both alphabets of Base64; other text results in bytes that are not valid keys. */
function decoded(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}

const TESTS = { times: 10, withinMs: 10 * 60_000 };

/** What users do with their own push subscriptions, besides adding and removing them. */
@Injectable()
export class WebPush {
  constructor(
    private readonly subscriptions: PushSubscriptions,
    private readonly vapid: Vapid,
    private readonly sender: PushSender,
    private readonly jobs: Jobs,
    private readonly limit: RequestLimit,
  ) {}

  async state(actor: Actor, sessionId: string | null): Promise<WebPushWire> {
    return {
      public_key: this.vapid.publicKey,
      subscriptions: await this.subscriptions.of(actor, sessionId),
    };
  }

  /**
   * Sends a notification immediately, and waits for the push service.
   * @throws NoSuchPushSubscription, RateLimitHit, PushHeldBack
   */
  async test(actor: Actor, id: number): Promise<PushTestWire> {
    const subscription = await this.subscriptions.own(actor, id);
    if (!(await this.limit.takeFor(String(actor.userId), 'push test', TESTS))) {
      throw new RateLimitHit(TESTS.withinMs / 1000);
    }
    if (this.jobs.quarantineReason !== null) throw new PushHeldBack();
    const outcome = await this.sender.send(subscription, { kind: 'test' });
    if (outcome.kind === 'gone') await this.subscriptions.forget(subscription);
    return { outcome: outcome.kind, reason: outcome.kind === 'failed' ? outcome.reason : null };
  }
}
