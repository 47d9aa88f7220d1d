import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';

/** A feature that keeps something for people. */
export interface PersonalDataKeeper {
  /**
   * Removes what is kept for an account that is being deleted for good, inside its exclusive transaction. The account
   * is deactivated, and everybody was told so.
   * @returns paths in the file store of what nobody needs once the transaction is committed
   */
  removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]>;
}

/** Where features that keep something for people register themselves. */
@Injectable()
export class PersonalDataRegistry implements PersonalDataKeeper {
  private readonly keepers: PersonalDataKeeper[] = [];

  register(keeper: PersonalDataKeeper): void {
    this.keepers.push(keeper);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    const files: string[] = [];
    for (const keeper of this.keepers) files.push(...(await keeper.removeDataOf(tx, userId)));
    return files;
  }
}
