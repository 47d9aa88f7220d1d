import { defineEvent } from '../../platform/events/server-event';

/** What is still to be shown to a person. */
export interface OnboardingStepWire {
  /** Whether it is told once, or done once. */
  readonly type: 'one_time_notice' | 'one_time_action';
  readonly name: string;
}

/** The receiver has seen or done a step; the list has all that are left. */
export const onboardingStepsLeft = defineEvent<{ onboarding_steps: readonly OnboardingStepWire[] }>(
  'onboarding_steps',
);
