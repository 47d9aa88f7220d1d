import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A view in the left sidebar of a person: one of their own, or what they changed about a built-in one. */
@Entity('navigation_view')
@Index('ix_navigation_view_user_id_fragment', ['userId', 'fragment'], { unique: true })
export class NavigationView {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Where the view is: what follows `#` in the address. */
  @Column('text')
  fragment!: string;

  @Column('boolean', { name: 'is_pinned' })
  isPinned!: boolean;

  /** Null for built-in views, which clients name. */
  @Column('text', { nullable: true })
  name!: string | null;
}

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
