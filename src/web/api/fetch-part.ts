// Parts of the sign-in page that are fetched when they are needed. It has no router to catch one that doesn't come.
import { ApiError } from './api-error.ts';

const words = 'This part of the page couldn’t be loaded. Check your connection and try again, or reload the page.';

/** Gives the module, or throws an ApiError that says what to do. The next call fetches again. */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    console.error('A part of the sign-in page didn’t load', error);
    throw new ApiError({ code: 'UNAVAILABLE', message: words, statusCode: 503 });
  }
}
