// Somebody who answers the questions of a command, always the same, and remembers them.
export function asking(answer = true) {
  const asked: string[] = [];
  const confirm = (question: string): Promise<boolean> => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { asked, confirm };
}
