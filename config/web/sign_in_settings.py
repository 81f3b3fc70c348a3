"""Settings of accounts: the email address is the login; a code or link by email, a password if one wants it."""

AUTH_USER_MODEL = "games.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    "sesame.backends.ModelBackend",
]
LOGIN_URL = "account_request_login_code"
LOGIN_REDIRECT_URL = "my_games"
ACCOUNT_ADAPTER = "games.people.sign_in.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "games.web.accounts.sign_in.sign_up_form.SignUpForm"
ACCOUNT_FORMS = {
    "login": "games.web.accounts.sign_in.forms.PasswordForm",
    "request_login_code": "games.web.accounts.sign_in.forms.RequestCodeForm",
    "reset_password": "games.web.accounts.sign_in.forms.ResetForm",
    "confirm_login_code": "games.web.accounts.sign_in.forms.LoginCodeForm",
    "confirm_email_verification_code": "games.web.accounts.sign_in.forms.AddressCodeForm",
}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True  # a changed password is told by mail
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Codes and links of mails live ten minutes at most. No session guesses at a code more often, all at once or one by one.
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = ACCOUNT_LOGIN_BY_CODE_TIMEOUT = PASSWORD_RESET_TIMEOUT = 600
# Letters and passwords are counted by games.people.limits, at which strangers cannot lock an owner out.
ACCOUNT_RATE_LIMITS = {
    "guess_code": "8/10m/key",
    "guest": "30/h/ip,100/d/ip",
    "login": None,
    "login_failed": None,
    "request_login_code": None,
    "confirm_email": None,
    "reset_password": None,
    "reset_password_from_key": None,
}
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 56  # what one subscriber has
SESAME_MAX_AGE = 600
SESAME_ONE_TIME = True
SESAME_INVALIDATE_ON_EMAIL_CHANGE = True
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "games.people.sign_in.HardToGuess"},
]
