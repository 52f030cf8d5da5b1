;;;; Plays the first legal action. SBCL with yason (Debian: cl-yason, cl-alexandria, cl-trivial-gray-streams).
;;;;
;;;;     sbcl --dynamic-space-size 128MB --non-interactive --load first.lisp --eval '(build "first")'
;;;;     ./first

(require :asdf)
(asdf:load-system :yason)

(defun choose (ask)
  "Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position."
  (first (gethash "legal" ask)))

(defun answer (message)
  (yason:encode message)
  (terpri)
  (finish-output)) ; the arena waits for each line

(defun ready (protocol)
  (unless (eql 0 (search "maumau/1." (concatenate 'string protocol ".")))
    (format *error-output* "first.lisp speaks maumau/1 and the arena ~a~%" protocol)
    (uiop:quit 2))
  (answer (alexandria:plist-hash-table
           '("type" "ready" "protocol" "maumau/1" "name" "first.lisp" "games" 64))))

(defun act (ask)
  (let ((action (choose ask)))
    (setf (gethash "type" action) "act"
          (gethash "game" action) (gethash "game" ask)
          (gethash "id" action) (gethash "id" ask))
    (answer action)))

(defun handle (message line)
  (alexandria:switch ((gethash "type" message) :test #'string=)
    ("hello" (ready (gethash "protocol" message)))
    ("ask" (act message))
    ("fault" (write-line line *error-output*))
    ("bye" (uiop:quit 0)))) ; others say nothing to this bot, or are of a later version

(defun main ()
  (loop for line = (read-line *standard-input* nil)
        while line
        do (handle (yason:parse line) line)))

(defun build (program)
  (sb-ext:save-lisp-and-die program :toplevel #'main :executable t :save-runtime-options t))
