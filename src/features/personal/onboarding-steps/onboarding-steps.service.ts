import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { AccountDirectory, personalDataRemoved } from '../../users/users.module';
import { OnboardingStep } from './onboarding-step.entity';
import { onboardingStepsLeft, type OnboardingStepWire, UnknownOnboardingStep } from './onboarding-steps.api';

/** All steps, in the order in which clients get them. */
const STEPS: readonly OnboardingStepWire[] = [
  { type: 'one_time_notice', name: 'visibility_policy_banner' },
  { type: 'one_time_notice', name: 'intro_inbox_view_modal' },
  { type: 'one_time_notice', name: 'intro_recent_view_modal' },
  { type: 'one_time_notice', name: 'first_stream_created_banner' },
  { type: 'one_time_notice', name: 'jump_to_conversation_banner' },
  { type: 'one_time_notice', name: 'non_interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'intro_resolve_topic' },
  { type: 'one_time_notice', name: 'navigation_tour_video' },
  { type: 'one_time_action', name: 'narrow_to_dm_with_welcome_bot_new_user' },
];

/**
 * Never shown: the banner is for accounts older than topic policies, the video does not exist, and accounts from before
 * the welcome bot have an empty conversation with it.
 */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  'visibility_policy_banner',
  'navigation_tour_video',
  'narrow_to_dm_with_welcome_bot_new_user',
]);

/** Knows what clients have still to show to people who are new. */
@Injectable()
export class OnboardingStepsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('onboarding_steps', async (db, { reader }) => ({
        onboarding_steps: reader ? await this.stepsLeft(db, reader.userId) : [],
        navigation_tour_video_url: null,
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(OnboardingStep).delete({ userId });
    });
  }

  /** Notes that the caller has seen or done a step; doing so again is no error. @throws UnknownOnboardingStep */
  async mark({ userId }: Actor, name: string): Promise<void> {
    if (!STEPS.some((step) => step.name === name)) throw new UnknownOnboardingStep(name);
    await this.transactions.run(async (tx) => {
      await tx.query('INSERT INTO onboarding_step (user_id, step) VALUES (?, ?) ON CONFLICT DO NOTHING', [
        userId,
        name,
      ]);
      const left = await this.stepsLeft(tx, userId);
      tx.emit(onboardingStepsLeft({ onboarding_steps: left }), Audience.of([userId]));
    });
  }

  private async stepsLeft(db: Queryable, userId: number): Promise<OnboardingStepWire[]> {
    if (this.accounts.byId(userId)?.isBot) return [];
    const rows = await db.repository(OnboardingStep).findBy({ userId });
    const seen = new Set(rows.map(({ step }) => step));
    return STEPS.filter(({ name }) => !seen.has(name) && !NEVER_SHOWN.has(name));
  }
}
