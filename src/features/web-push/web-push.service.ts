import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { RateLimitHit } from '../../platform/errors/request.errors';
import { Jobs } from '../../platform/jobs/jobs.service';
import { RequestLimit } from '../../platform/secrets/request-limit';
import { PushSender } from './push-sender.service';
import { PushSubscriptions } from './push-subscriptions.service';
import { Vapid } from './vapid.service';
import { PushHeldBack, type PushTestWire, type WebPushWire } from './web-push.api';

const TESTS = { times: 10, withinMs: 10 * 60_000 };

/** What users do with their own push subscriptions, beside adding and removing them. */
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
   * Sends a notification at once, and waits for the push service.
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
