import { Controller, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { MarkOnboardingStepDto, NoTourReminder } from './onboarding-steps.api';
import { OnboardingStepsService } from './onboarding-steps.service';

/** What clients show to people who are new. */
@Controller('api/v1/users/me/onboarding_steps')
@NeedsScope('send')
export class OnboardingStepsController {
  constructor(private readonly steps: OnboardingStepsService) {}

  /** Notes that the caller has seen or done a step, which is then not shown again. */
  @Post()
  @HumansOnly()
  mark(@CurrentActor() actor: Actor, @Parameters() dto: MarkOnboardingStepDto): Promise<void> {
    if (dto.schedule_navigation_tour_video_reminder_delay !== undefined) throw new NoTourReminder();
    return this.steps.mark(actor, dto.onboarding_step);
  }
}
