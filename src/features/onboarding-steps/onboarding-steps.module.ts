import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { OnboardingStepsController } from './onboarding-steps.controller';
import { OnboardingStepsService } from './onboarding-steps.service';

/** What clients show to people who are new, and who has seen which of it. */
@Module({
  imports: [UsersModule],
  controllers: [OnboardingStepsController],
  providers: [OnboardingStepsService],
})
export class OnboardingStepsModule {}
