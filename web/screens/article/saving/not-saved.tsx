/** What every save that failed says, whatever became of the text (spec section 2). */
export const NotSaved = () => (
  <>
    <strong>Error saving changes.</strong> Warning: Your changes have not been saved. Try refreshing
    the page or checking your internet connection.
  </>
)
