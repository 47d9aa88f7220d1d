import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A step that a person has seen or done, and is not shown again. */
@Entity('onboarding_step')
export class OnboardingStep {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Its name. */
  @PrimaryColumn('text')
  step!: string;
}
