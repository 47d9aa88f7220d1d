import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** Parameters of `POST /users/me/onboarding_steps`. */
export class MarkOnboardingStepDto {
  /** Name of the step, as in `onboarding_steps` of `POST /register`. */
  @Parameter(text({ maxLength: 100 })) onboarding_step!: string;

  /** Refused: it asks for a reminder of a video, and there is none. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  schedule_navigation_tour_video_reminder_delay?: number;
}

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

/** There is no step of that name. */
export class UnknownOnboardingStep extends ApiError {
  constructor(name: string) {
    super(`Unknown onboarding_step: ${name}`);
  }
}

/** A reminder of the tour is asked for with another step. */
export class NoTourReminder extends refusal(
  'schedule_navigation_tour_video_reminder_delay is not supported: this server has no navigation tour video',
) {}
