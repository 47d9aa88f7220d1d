import { OperatorAccountAccess } from '../../src/features/users/access/operator-account.access';
import { DeactivationService } from '../../src/features/organization/deactivation.service';
import type { TestApp } from './test-app';

/** Reactivates the organization as the operator does, on any node. @returns whether it was deactivated */
export function reactivate(app: TestApp): Promise<boolean> {
  return app.get(DeactivationService).reactivate(app.get(OperatorAccountAccess).actor());
}
