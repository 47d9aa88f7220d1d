import { ApiError } from '../../platform/errors/api-error';

/** There is no step of that name. */
export class UnknownOnboardingStep extends ApiError {
  constructor(name: string) {
    super(`Unknown onboarding_step: ${name}`);
  }
}

/** A reminder of the tour is asked for with another step. */
export class NoTourReminder extends ApiError {
  constructor() {
    super(
      'schedule_navigation_tour_video_reminder_delay is not supported: this server has no navigation tour video',
    );
  }
}
