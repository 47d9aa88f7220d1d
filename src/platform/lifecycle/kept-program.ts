import { KEPT_BESIDE_PACKAGES, useKeptCode } from './kept-code';

const code = useKeptCode(KEPT_BESIDE_PACKAGES);

/** Keeps what the server has loaded for its next start, while it answers requests. */
export function keepProgram(): void {
  void code?.keepInPauses();
}
