import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';
import { CustomProfileField } from './custom-profile-field.entity';

/** What one person entered in one custom profile field. */
@Entity('custom_profile_value')
export class CustomProfileValue {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => CustomProfileField)
  @PrimaryColumn('integer', { name: 'field_id' })
  fieldId!: number;

  @Column('text')
  value!: string;

  /** HTML, only for field types that support Markdown. */
  @Column('text', { name: 'rendered_value', nullable: true })
  renderedValue!: string | null;
}
