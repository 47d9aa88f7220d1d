import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A table that exists in the contract suites only. */
@Entity({ name: 'note' })
export class Note {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  text!: string;
}
