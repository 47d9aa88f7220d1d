import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { UsersModule } from '../users/users.module';
import { OnboardingStepsController } from './onboarding-steps.controller';
import { OnboardingStepsService } from './onboarding-steps.service';
import { OnboardingStep } from './onboarding-step.entity';

/** What clients show to people who are new, and who has seen which of it. */
@Tables({ entities: [OnboardingStep] })
@Module({
  imports: [UsersModule],
  controllers: [OnboardingStepsController],
  providers: [OnboardingStepsService],
})
export class OnboardingStepsModule {}
