/** Why something did not work, if it did not: told at once to people who do not see the page. */
export function Problem({ text }: { readonly text: string }) {
  return text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;
}
