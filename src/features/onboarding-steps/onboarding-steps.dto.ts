import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of `POST /users/me/onboarding_steps`. */
export class MarkOnboardingStepDto {
  /** Name of the step, as in `onboarding_steps` of `POST /register`. */
  @Parameter(text({ maxLength: 100 })) onboarding_step!: string;

  /** Refused: it asks for a reminder of a video, and there is none. */
  @Parameter(json.integer({ min: 0 }), { optional: true })
  schedule_navigation_tour_video_reminder_delay?: number;
}
