import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A profile field that the organization defined. */
@Entity('custom_profile_field')
export class CustomProfileField {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  @Column('text')
  hint!: string;

  /** See custom-profile/field-kinds.ts. */
  @Column('integer')
  type!: number;

  @Column('integer')
  position!: number;

  /** JSON object for lists of options and external accounts, else empty. */
  @Column('text', { name: 'field_data' })
  fieldData!: string;

  @Column('boolean', { name: 'is_required' })
  isRequired!: boolean;

  @Column('boolean', { name: 'is_editable_by_user' })
  isEditableByUser!: boolean;

  @Column('boolean', { name: 'is_in_profile_summary' })
  isInProfileSummary!: boolean;

  /** Whether clients find people by what they entered here. */
  @Column('boolean', { name: 'is_used_for_matching' })
  isUsedForMatching!: boolean;
}
