/** An error message, if there is one; screen readers announce it at once. */
export function Problem({ text }: { readonly text: string }) {
  return text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;
}
